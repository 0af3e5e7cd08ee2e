"""Countries, cities, institutions: real places, made-up institutions, in English and in the country's language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Country:
    """A country.

    Attributes:
        name: In English.
        language: Key of the names of its people (personal_names.py).
        kinds: Key of `NATIVE_KINDS`; empty where institutions have English names only.
        weight: How many institutions it has.
        cities: Pairs of a city's English and native name.
    """

    name: str
    language: str
    kinds: str
    weight: int
    cities: tuple[tuple[str, str], ...]


KINDS = (
    "Northern University of {city}",
    "{city} Institute of Applied Mathematics and Physics",
    "{city} Center for Data and Society",
    "Free Polytechnic of {city}",
    "{city} School of Life and Information Sciences",
    "{city} Laboratory of Complex Systems",
    "{city} Academy of Measurement Sciences",
    "{city} Institute for Economic and Social Research",
    "Southern University of {city}",
    "{city} Center for Computational Science",
)
"""English names of made-up institutions."""

NATIVE_KINDS = {
    "zh": (
        "{city}北方大学",
        "{city}应用数学与物理研究所",
        "{city}数据与社会中心",
        "{city}自由理工学院",
        "{city}生命与信息科学学院",
        "{city}复杂系统实验室",
        "{city}计量科学院",
        "{city}经济社会研究所",
        "{city}南方大学",
        "{city}计算科学中心",
    ),
    "ja": (
        "北{city}大学",
        "{city}応用数理物理研究所",
        "{city}データ社会センター",
        "{city}自由工科大学",
        "{city}生命情報科学学院",
        "{city}複雑系研究所",
        "{city}計測科学アカデミー",
        "{city}経済社会研究所",
        "南{city}大学",
        "{city}計算科学センター",
    ),
    "ko": (
        "{city}북부대학교",
        "{city}응용수학물리연구소",
        "{city}데이터사회센터",
        "{city}자유공과대학",
        "{city}생명정보과학대학원",
        "{city}복잡계연구실",
        "{city}측정과학원",
        "{city}경제사회연구원",
        "{city}남부대학교",
        "{city}계산과학센터",
    ),
    "ru": (
        "Северный университет, {city}",
        "Институт прикладной математики и физики, {city}",
        "Центр данных и общества, {city}",
        "Свободный политехнический институт, {city}",
        "Школа наук о жизни и информации, {city}",
        "Лаборатория сложных систем, {city}",
        "Академия измерительных наук, {city}",
        "Институт экономических и социальных исследований, {city}",
        "Южный университет, {city}",
        "Центр вычислительных наук, {city}",
    ),
    "el": (
        "Βόρειο Πανεπιστήμιο, {city}",
        "Ινστιτούτο Εφαρμοσμένων Μαθηματικών και Φυσικής, {city}",
        "Κέντρο Δεδομένων και Κοινωνίας, {city}",
        "Ελεύθερο Πολυτεχνείο, {city}",
        "Σχολή Επιστημών Ζωής και Πληροφορίας, {city}",
        "Εργαστήριο Πολύπλοκων Συστημάτων, {city}",
        "Ακαδημία Επιστημών Μέτρησης, {city}",
        "Ινστιτούτο Οικονομικών και Κοινωνικών Ερευνών, {city}",
        "Νότιο Πανεπιστήμιο, {city}",
        "Κέντρο Υπολογιστικής Επιστήμης, {city}",
    ),
    "ar": (
        "جامعة شمال {city}",
        "معهد {city} للرياضيات التطبيقية والفيزياء",
        "مركز {city} للبيانات والمجتمع",
        "معهد {city} التقني الحر",
        "كلية {city} لعلوم الحياة والمعلومات",
        "مختبر {city} للأنظمة المعقدة",
        "أكاديمية {city} لعلوم القياس",
        "معهد {city} للبحوث الاقتصادية والاجتماعية",
        "جامعة جنوب {city}",
        "مركز {city} للعلوم الحاسوبية",
    ),
    "de": (
        "Norduniversität {city}",
        "Institut für Angewandte Mathematik und Physik {city}",
        "Zentrum für Daten und Gesellschaft {city}",
        "Freies Polytechnikum {city}",
        "Schule für Lebens- und Informationswissenschaften {city}",
        "Labor für Komplexe Systeme {city}",
        "Akademie der Messwissenschaften {city}",
        "Institut für Wirtschafts- und Sozialforschung {city}",
        "Süduniversität {city}",
        "Zentrum für Wissenschaftliches Rechnen {city}",
    ),
    "fr": (
        "Université du Nord, {city}",
        "Institut de mathématiques appliquées et de physique, {city}",
        "Centre données et société, {city}",
        "Polytechnique libre de {city}",
        "École des sciences de la vie et de l'information, {city}",
        "Laboratoire des systèmes complexes, {city}",
        "Académie des sciences de la mesure, {city}",
        "Institut de recherches économiques et sociales, {city}",
        "Université du Sud, {city}",
        "Centre de calcul scientifique, {city}",
    ),
    "es": (
        "Universidad del Norte de {city}",
        "Instituto de Matemática Aplicada y Física de {city}",
        "Centro de Datos y Sociedad de {city}",
        "Politécnica Libre de {city}",
        "Escuela de Ciencias de la Vida y la Información de {city}",
        "Laboratorio de Sistemas Complejos de {city}",
        "Academia de Ciencias de la Medida de {city}",
        "Instituto de Investigación Económica y Social de {city}",
        "Universidad del Sur de {city}",
        "Centro de Ciencia Computacional de {city}",
    ),
    "it": (
        "Università del Nord di {city}",
        "Istituto di Matematica Applicata e Fisica di {city}",
        "Centro Dati e Società di {city}",
        "Politecnico Libero di {city}",
        "Scuola di Scienze della Vita e dell'Informazione di {city}",
        "Laboratorio di Sistemi Complessi di {city}",
        "Accademia delle Scienze della Misura di {city}",
        "Istituto di Ricerche Economiche e Sociali di {city}",
        "Università del Sud di {city}",
        "Centro di Scienza Computazionale di {city}",
    ),
    "pt": (
        "Universidade do Norte de {city}",
        "Instituto de Matemática Aplicada e Física de {city}",
        "Centro de Dados e Sociedade de {city}",
        "Politécnico Livre de {city}",
        "Escola de Ciências da Vida e da Informação de {city}",
        "Laboratório de Sistemas Complexos de {city}",
        "Academia de Ciências da Medição de {city}",
        "Instituto de Pesquisa Econômica e Social de {city}",
        "Universidade do Sul de {city}",
        "Centro de Ciência Computacional de {city}",
    ),
    "pl": (
        "Uniwersytet Północny, {city}",
        "Instytut Matematyki Stosowanej i Fizyki, {city}",
        "Centrum Danych i Społeczeństwa, {city}",
        "Wolna Politechnika, {city}",
        "Szkoła Nauk o Życiu i Informacji, {city}",
        "Laboratorium Układów Złożonych, {city}",
        "Akademia Nauk o Pomiarach, {city}",
        "Instytut Badań Ekonomicznych i Społecznych, {city}",
        "Uniwersytet Południowy, {city}",
        "Centrum Nauk Obliczeniowych, {city}",
    ),
    "tr": (
        "Kuzey {city} Üniversitesi",
        "{city} Uygulamalı Matematik ve Fizik Enstitüsü",
        "{city} Veri ve Toplum Merkezi",
        "{city} Özgür Politeknik",
        "{city} Yaşam ve Bilişim Bilimleri Okulu",
        "{city} Karmaşık Sistemler Laboratuvarı",
        "{city} Ölçüm Bilimleri Akademisi",
        "{city} Ekonomik ve Sosyal Araştırmalar Enstitüsü",
        "Güney {city} Üniversitesi",
        "{city} Hesaplamalı Bilim Merkezi",
    ),
}
"""The same in other languages, in the order of `KINDS`."""


def _countries(text: str) -> tuple[Country, ...]:
    """Read lines `name | language | kinds | weight | cities`; a city reads `English` or `English=native`."""
    out = []
    for line in text.strip().replace("\\\n", "").splitlines():
        name, language, kinds, weight, cities = (part.strip() for part in line.split("|"))
        pairs = (entry.strip().partition("=") for entry in cities.split(","))
        names = tuple((english, native or english) for english, _, native in pairs)
        out.append(Country(name, language, kinds, int(weight), names))
    return tuple(out)


COUNTRIES = _countries("""
    China | zh | zh | 18 | Suzhou=苏州, Hefei=合肥, Xiamen=厦门, Qingdao=青岛, Kunming=昆明, Lanzhou=兰州, \\
        Guilin=桂林, Wuxi=无锡, Yantai=烟台, Luoyang=洛阳, Ningbo=宁波, Changsha=长沙
    Japan | ja | ja | 6 | Kanazawa=金沢, Matsue=松江, Nagano=長野, Sendai=仙台, Toyama=富山, Okayama=岡山, \\
        Kochi=高知, Morioka=盛岡
    South Korea | ko | ko | 4 | Daejeon=대전, Gwangju=광주, Jeonju=전주, Suwon=수원, Gangneung=강릉, Pohang=포항
    Russia | ru | ru | 3 | Kazan=Казань, Tomsk=Томск, Samara=Самара, Perm=Пермь, Irkutsk=Иркутск, Voronezh=Воронеж
    Greece | el | el | 3 | Patras=Πάτρα, Heraklion=Ηράκλειο, Ioannina=Ιωάννινα, Volos=Βόλος, Larissa=Λάρισα, \\
        Chania=Χανιά
    Egypt | ar | ar | 2 | Alexandria=الإسكندرية, Mansoura=المنصورة, Aswan=أسوان, Tanta=طنطا
    Saudi Arabia | ar | ar | 2 | Jeddah=جدة, Dammam=الدمام, Abha=أبها
    Germany | de | de | 8 | Kassel, Rostock, Bremen, Würzburg, Erfurt, Münster, Augsburg, Koblenz, Lübeck, Jena
    Austria | de | de | 2 | Graz, Linz, Klagenfurt, Salzburg
    Switzerland | de | de | 2 | Winterthur, Chur, St. Gallen
    France | fr | fr | 7 | Nantes, Dijon, Tours, Limoges, Brest, Nancy, Grenoble, Angers, Metz
    Spain | es | es | 5 | Zaragoza, Oviedo, Cádiz, León, Murcia, Vigo, Burgos
    Mexico | es | es | 2 | Puebla, Mérida, Morelia, Querétaro
    Argentina | es | es | 1 | Rosario, Mendoza, Tucumán
    Italy | it | it | 6 | Trieste, Parma, Bari, Lecce, Udine, Modena, Perugia, Cagliari
    Brazil | pt | pt | 4 | Curitiba, Recife, Natal, Londrina, Florianópolis, Goiânia
    Portugal | pt | pt | 2 | Braga, Évora, Aveiro, Faro
    Poland | pl | pl | 4 | Toruń, Lublin, Opole, Gdynia, Rzeszów, Szczecin
    Turkey | tr | tr | 3 | Bursa, Konya, Trabzon, Eskişehir, Antalya
    India | hi |  | 8 | Pune, Indore, Mysuru, Bhopal, Jaipur, Madurai, Nagpur, Coimbatore, Lucknow, Guwahati
    Vietnam | vi |  | 1 | Huế, Đà Nẵng, Cần Thơ
    Netherlands | nl |  | 3 | Zwolle, Arnhem, Breda, Haarlem, Leeuwarden
    Sweden | sv |  | 2 | Örebro, Västerås, Kalmar, Sundsvall
    Norway | sv |  | 1 | Stavanger, Bodø, Ålesund
    Denmark | sv |  | 1 | Esbjerg, Vejle, Randers
    Finland | fi |  | 1 | Kuopio, Vaasa, Lahti
    Czech Republic | cs |  | 1 | Plzeň, Olomouc, Liberec
    Hungary | hu |  | 1 | Győr, Pécs, Miskolc
    Romania | ro |  | 1 | Iași, Brașov, Sibiu
    Nigeria | yo |  | 1 | Ibadan, Enugu, Kaduna
    Kenya | yo |  | 1 | Nakuru, Kisumu, Eldoret
    United Kingdom | en |  | 7 | Carlisle, Norwich, Hull, Dundee, Swansea, Plymouth, Derby, Chester, Perth
    United States | en |  | 16 | Boise, Tulsa, Spokane, Omaha, Duluth, Dayton, Fresno, Savannah, Tacoma, Albany, \\
        Reno, Wichita, Toledo, Mobile
    Canada | en |  | 4 | Halifax, Regina, Kelowna, Moncton, Kingston
    Australia | en |  | 3 | Hobart, Geelong, Cairns, Ballarat, Darwin
""")
