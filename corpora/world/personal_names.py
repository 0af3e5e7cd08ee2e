"""Family and given names of people from many countries, some in their own script too.

An entry reads `Latin` or `Latin=native`; a family name with a form for women reads `man/woman`. Every fourth entry of
a list is held out for test worlds. In Chinese and Korean a given name is made of two syllables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Naming:
    """How people are named in one language.

    Attributes:
        family: Pairs (for men, for women) of (Latin, native) names.
        men, women: Given names, or, where `joined`, first and second syllables.
        joined: A given name is two syllables, joined by this sign in Latin letters; None for whole names.
        initials: Latin letters of middle initials, each with its native letter; empty where there are none.
        surname_first: The native form puts the family name first, without a space.
    """

    family: tuple[tuple[tuple[str, str], tuple[str, str]], ...]
    men: tuple[tuple[str, str], ...]
    women: tuple[tuple[str, str], ...]
    joined: str | None
    initials: tuple[tuple[str, str], ...]
    surname_first: bool


LATIN_INITIALS = "A B C D E F G H J K L M N P R S T V W"
CYRILLIC_INITIALS = "A=А B=Б D=Д E=Е G=Г I=И K=К L=Л M=М N=Н P=П R=Р S=С T=Т V=В Y=Ю"
GREEK_INITIALS = "A=Α D=Δ E=Ε G=Γ I=Ι K=Κ L=Λ M=Μ N=Ν P=Π S=Σ T=Τ"

FAMILIES = {
    "zh": """Wang=王 Li=李 Zhang=张 Liu=刘 Chen=陈 Yang=杨 Huang=黄 Zhao=赵 Wu=吴 Zhou=周 Xu=徐 Sun=孙 Ma=马 Zhu=朱
        Hu=胡 Guo=郭 He=何 Lin=林 Gao=高 Luo=罗 Zheng=郑 Liang=梁 Xie=谢 Song=宋 Tang=唐 Han=韩 Feng=冯 Deng=邓
        Cao=曹 Peng=彭 Zeng=曾 Xiao=肖 Tian=田 Dong=董 Pan=潘 Yuan=袁 Cai=蔡 Jiang=蒋 Yu=余 Du=杜 Ye=叶 Cheng=程
        Wei=魏 Su=苏""",
    "ja": """Sato=佐藤 Suzuki=鈴木 Takahashi=高橋 Tanaka=田中 Watanabe=渡辺 Ito=伊藤 Yamamoto=山本 Nakamura=中村
        Kobayashi=小林 Kato=加藤 Yoshida=吉田 Yamada=山田 Sasaki=佐々木 Yamaguchi=山口 Matsumoto=松本 Inoue=井上
        Kimura=木村 Hayashi=林 Shimizu=清水 Yamazaki=山崎 Mori=森 Abe=阿部 Ikeda=池田 Hashimoto=橋本 Ishikawa=石川
        Ogawa=小川 Okada=岡田 Hasegawa=長谷川 Murakami=村上 Kondo=近藤 Ishii=石井 Sakamoto=坂本 Endo=遠藤 Aoki=青木
        Fujii=藤井 Nishimura=西村""",
    "ko": """Kim=김 Lee=이 Park=박 Choi=최 Jung=정 Kang=강 Cho=조 Yoon=윤 Jang=장 Lim=임 Han=한 Oh=오 Seo=서 Shin=신
        Kwon=권 Hwang=황 Ahn=안 Song=송 Ryu=류 Hong=홍""",
    "ru": """Ivanov=Иванов/Ivanova=Иванова Smirnov=Смирнов/Smirnova=Смирнова Kuznetsov=Кузнецов/Kuznetsova=Кузнецова
        Popov=Попов/Popova=Попова Sokolov=Соколов/Sokolova=Соколова Lebedev=Лебедев/Lebedeva=Лебедева
        Kozlov=Козлов/Kozlova=Козлова Novikov=Новиков/Novikova=Новикова Morozov=Морозов/Morozova=Морозова
        Petrov=Петров/Petrova=Петрова Volkov=Волков/Volkova=Волкова Solovyov=Соловьёв/Solovyova=Соловьёва
        Vasiliev=Васильев/Vasilieva=Васильева Zaitsev=Зайцев/Zaitseva=Зайцева Pavlov=Павлов/Pavlova=Павлова
        Golubev=Голубев/Golubeva=Голубева Vinogradov=Виноградов/Vinogradova=Виноградова Belov=Белов/Belova=Белова
        Tarasov=Тарасов/Tarasova=Тарасова Melnik=Мельник Bondarenko=Бондаренко Shevchenko=Шевченко""",
    "el": """Papadopoulos=Παπαδόπουλος/Papadopoulou=Παπαδοπούλου Georgiou=Γεωργίου Oikonomou=Οικονόμου
        Papadakis=Παπαδάκης/Papadaki=Παπαδάκη Vlachos=Βλάχος/Vlachou=Βλάχου
        Angelopoulos=Αγγελόπουλος/Angelopoulou=Αγγελοπούλου Nikolaidis=Νικολαΐδης/Nikolaidou=Νικολαΐδου
        Karagiannis=Καραγιάννης/Karagianni=Καραγιάννη Antoniou=Αντωνίου Makris=Μακρής/Makri=Μακρή
        Dimitriadis=Δημητριάδης/Dimitriadou=Δημητριάδου Konstantinidis=Κωνσταντινίδης/Konstantinidou=Κωνσταντινίδου
        Vasileiou=Βασιλείου Alexiou=Αλεξίου Pappas=Παππάς/Pappa=Παππά Samaras=Σαμαράς/Samara=Σαμαρά""",
    "ar": """Hassan=حسن Ali=علي Ibrahim=إبراهيم Mansour=منصور Khalil=خليل Saleh=صالح Haddad=حداد Nasser=ناصر
        Farouk=فاروق Mahmoud=محمود Khoury=خوري Najjar=نجار Hamdan=حمدان Aziz=عزيز Bakr=بكر Sharif=شريف Qasim=قاسم
        Suleiman=سليمان""",
    "hi": """Sharma Gupta Singh Kumar Patel Reddy Iyer Nair Rao Mukherjee Banerjee Chatterjee Das Bose Joshi Desai
        Mehta Verma Mishra Pandey Kulkarni Menon Pillai Chowdhury Agarwal Srinivasan Krishnan Subramanian""",
    "vi": """Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô Dương""",
    "tr": """Yılmaz Kaya Demir Şahin Çelik Yıldız Aydın Öztürk Arslan Doğan Kılıç Aslan Çetin Koç Kurt Özdemir""",
    "de": """Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter
        Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann
        Köhler Maier""",
    "fr": """Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel
        Garnier Roux Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Vincent Chevalier Faure Mercier""",
    "es": """García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Ruiz Hernández Díaz Moreno Muñoz
        Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Serrano Molina Castro Ortega Rubio""",
    "it": """Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Giordano
        Mancini Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi""",
    "pt": """Silva Santos Oliveira Souza Pereira Carvalho Almeida Ferreira Ribeiro Rodrigues Barbosa Cardoso
        Teixeira Correia Moura""",
    "pl": """Nowak Wójcik Kamiński/Kamińska Lewandowski/Lewandowska Zieliński/Zielińska Szymański/Szymańska Woźniak
        Dąbrowski/Dąbrowska Kozłowski/Kozłowska Mazur Krawczyk Piotrowski/Piotrowska Grabowski/Grabowska Pawlak""",
    "nl": """Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Smits Kuipers
        Postma Willems Maes Jacobs Claes""",
    "sv": """Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Lindberg Hansen Johansen
        Olsen Larsen Andersen Pedersen Nielsen Jensen Christensen Rasmussen""",
    "fi": """Korhonen Virtanen Mäkinen Nieminen Mäkelä Hämäläinen Laine Heikkinen Koskinen Järvinen""",
    "en": """Smith Jones Taylor Brown Williams Wilson Johnson Davies Robinson Wright Thompson Evans Walker White
        Roberts Green Hall Wood Jackson Clarke Harris Clark Lewis Turner Hughes Edwards Moore Cooper Ward Morris
        King Baker Harrison Morgan Allen James Scott Phillips Watson Parker Bennett Young Cook Murphy O'Brien
        Campbell Stewart""",
    "cs": """Novák/Nováková Svoboda/Svobodová Dvořák/Dvořáková Černý/Černá Procházka/Procházková Kučera/Kučerová
        Veselý/Veselá Horák/Horáková""",
    "hu": """Nagy Kovács Tóth Szabó Horváth Varga Kiss Molnár Németh Farkas Balogh""",
    "ro": """Popa Popescu Ionescu Dumitru Stan Stoica Gheorghe Rusu Munteanu Matei""",
    "yo": """Adeyemi Okafor Okonkwo Balogun Eze Mensah Owusu Boateng Mwangi Otieno Kamau Ndlovu Dlamini Nkosi""",
}  # fmt: skip

GIVEN = {
    "zh": """Jia=佳 Xin=欣 Yu=宇 Hao=浩 Ming=明 Wei=伟 Jun=俊 Xiao=晓 Zi=子 Yi=一 Si=思 Jing=静 Li=丽 Hong=宏 Zhi=志
        Jian=建 Wen=文 Yong=永 Hai=海 Xue=雪 Mei=美 Chun=春 Guo=国 Tian=天 Yan=艳 Rui=睿 Shu=书 Bo=博 Kai=凯 Ling=玲
        Feng=峰 Hui=慧 Qi=琪 Rong=荣 Shan=珊 Ting=婷 Xiang=翔 Ying=颖 Zhen=振 Peng=鹏""",
    "ko": """Min=민 Ji=지 Seo=서 Jun=준 Hyun=현 Soo=수 Young=영 Jin=진 Hye=혜 Eun=은 Sung=성 Dong=동 Woo=우 Jae=재
        Kyung=경 Sang=상 Tae=태 In=인 Hee=희 Ho=호""",
    "ja": """Hiroshi=浩 Takashi=隆 Kenji=健二 Yuki=悠樹 Daisuke=大輔 Kazuo=和夫 Satoshi=聡 Makoto=誠 Shinji=真司
        Koji=浩二 Naoki=直樹 Ryo=亮 Sho=翔 Takuya=拓也 Yuta=裕太 Haruto=陽翔 Jun=淳 Kenta=健太 Masahiro=正博
        Tetsuya=哲也 | Yuko=優子 Keiko=恵子 Akiko=明子 Naomi=直美 Yumi=由美 Kaori=香織 Haruka=遥 Misaki=美咲
        Sakura=桜 Aya=彩 Emi=恵美 Rie=理恵 Mayumi=真由美 Chie=千恵 Nanami=七海 Tomoko=智子""",
    "ru": """Alexei=Алексей Dmitry=Дмитрий Sergei=Сергей Ivan=Иван Andrei=Андрей Mikhail=Михаил Nikolai=Николай
        Pavel=Павел Vladimir=Владимир Yuri=Юрий Oleg=Олег Maxim=Максим Anton=Антон Viktor=Виктор | Anna=Анна
        Elena=Елена Olga=Ольга Natalia=Наталья Irina=Ирина Tatiana=Татьяна Svetlana=Светлана Ekaterina=Екатерина
        Maria=Мария Yulia=Юлия Oksana=Оксана""",
    "el": """Georgios=Γεώργιος Konstantinos=Κωνσταντίνος Dimitrios=Δημήτριος Nikolaos=Νικόλαος Ioannis=Ιωάννης
        Panagiotis=Παναγιώτης Christos=Χρήστος Vasileios=Βασίλειος Athanasios=Αθανάσιος Stavros=Σταύρος |
        Maria=Μαρία Eleni=Ελένη Aikaterini=Αικατερίνη Vasiliki=Βασιλική Sofia=Σοφία Angeliki=Αγγελική
        Georgia=Γεωργία Dimitra=Δήμητρα Ioanna=Ιωάννα""",
    "ar": """Ahmed=أحمد Mohamed=محمد Omar=عمر Youssef=يوسف Karim=كريم Tariq=طارق Samir=سمير Khaled=خالد Hisham=هشام
        Bilal=بلال Ziad=زياد Rami=رامي | Fatima=فاطمة Aisha=عائشة Layla=ليلى Mariam=مريم Noor=نور Salma=سلمى
        Huda=هدى Rania=رانيا Amal=أمل Zainab=زينب""",
    "hi": """Amit Rahul Sanjay Vijay Arjun Rohan Suresh Rajesh Anil Vikram Karthik Aditya Nikhil Manish Deepak |
        Priya Anjali Kavita Sunita Divya Neha Pooja Lakshmi Meera Shreya Ananya Swati Ritu""",
    "vi": """Minh Hùng Tuấn Anh Quang Dũng Long Khoa | Lan Hương Thảo Linh Mai Ngọc Trang Hà""",
    "tr": """Mehmet Mustafa Emre Burak Murat Can Kerem Ozan Hakan Selim | Ayşe Elif Zeynep Fatma Merve Esra Deniz
        Gül Aylin""",
    "de": """Thomas Michael Andreas Stefan Christian Jürgen Markus Tobias Felix Lukas Matthias Johannes Florian Jan
        Sebastian | Anna Julia Katharina Sabine Claudia Susanne Lena Franziska Johanna Petra Birgit Heike""",
    "fr": """Pierre Jean Nicolas Julien Antoine Philippe Olivier François Guillaume Mathieu Étienne Benoît Laurent |
        Marie Camille Claire Sophie Isabelle Hélène Élodie Céline Nathalie Manon Aurélie""",
    "es": """José Carlos Javier Miguel Alejandro Pablo Luis Diego Andrés Fernando Álvaro Jorge Raúl | Carmen Lucía
        Elena Marta Pilar Cristina Sofía Isabel Beatriz Rocío Inés""",
    "it": """Marco Andrea Giuseppe Francesco Luca Matteo Alessandro Giovanni Stefano Davide Paolo | Giulia Chiara
        Francesca Federica Elisa Silvia Valentina Laura Alessia Martina""",
    "pt": """João Pedro Tiago Rafael Bruno Gustavo Ricardo Felipe Luís | Ana Beatriz Mariana Fernanda Juliana
        Patrícia Inês Catarina""",
    "pl": """Piotr Krzysztof Andrzej Tomasz Paweł Marcin Jakub Michał Łukasz | Anna Katarzyna Małgorzata Agnieszka
        Magdalena Ewa Joanna Zofia""",
    "nl": """Jan Pieter Maarten Bas Sander Jeroen Willem Koen Thijs | Anneke Sanne Femke Lotte Marieke Eva Iris
        Saskia""",
    "sv": """Lars Erik Anders Johan Magnus Mikael Henrik Søren Bjørn Olav | Ingrid Kristina Karin Astrid Linnea Maja
        Sofie Kirsten Freja""",
    "fi": """Juha Mikko Antti Jari Timo Ville Janne | Aino Helena Päivi Sari Anneli Riikka Kaisa""",
    "en": """James John Robert David William Richard Andrew Daniel Matthew Peter Stephen Christopher Edward Simon
        Benjamin Adam Patrick Timothy Samuel | Mary Elizabeth Sarah Emily Jennifer Rebecca Laura Rachel Katherine
        Hannah Charlotte Olivia Alice Victoria Megan Susan Helen""",
    "cs": """Jiří Petr Pavel Tomáš Martin Zdeněk Ondřej | Jana Eva Lenka Kateřina Lucie Hana Veronika""",
    "hu": """László István József Zoltán Gábor Péter Balázs | Katalin Erzsébet Zsuzsanna Ágnes Judit Réka""",
    "ro": """Andrei Mihai Alexandru Bogdan Cristian Radu | Elena Ioana Mihaela Alina Raluca Andreea""",
    "yo": """Chinedu Kwame Tunde Emeka Kofi Thabo Sipho Wanjiru | Ngozi Amara Abena Akua Thandiwe Zanele Folake""",
}  # fmt: skip

INITIALS = {
    "ru": CYRILLIC_INITIALS,
    "el": GREEK_INITIALS,
    "zh": "",
    "ja": "",
    "ko": "",
    "vi": "A B C D H K L M N P T V",
}


@cache
def naming(language: str, *, train: bool) -> Naming:
    """The names of a language that a kind of world may use.

    Args:
        language: A key of `FAMILIES`.
        train: Leave out the held-out names.
    """
    family = tuple(_family(entry) for entry in _allowed(FAMILIES[language].split(), train=train))
    lists = [_allowed(part.split(), train=train) for part in GIVEN[language].split("|")]
    men = tuple(_pair(entry) for entry in lists[0])
    women = tuple(_pair(entry) for entry in lists[-1])
    joined = {"zh": "", "ko": "-"}.get(language)
    initials = tuple(_pair(entry) for entry in INITIALS.get(language, LATIN_INITIALS).split())
    return Naming(family, men, women, joined, initials, surname_first=language in ("zh", "ja", "ko"))


def _allowed(entries: list[str], *, train: bool) -> list[str]:
    return [entry for at, entry in enumerate(entries) if not (train and at % 4 == 3)]


def _pair(entry: str) -> tuple[str, str]:
    latin, _, native = entry.partition("=")
    return latin, native


def _family(entry: str) -> tuple[tuple[str, str], tuple[str, str]]:
    men, _, women = entry.partition("/")
    return _pair(men), _pair(women or men)
