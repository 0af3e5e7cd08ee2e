"""What the toy corpus is about: twelve research topics with four problems each, and methods to attack them.

All of it is made up for this package. A problem has the name that titles and abstracts use, a paraphrase that some
questions use instead, the data that it is studied on, and what makes it difficult.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One research problem; every attribute is a noun phrase that fits into a sentence."""

    name: str
    paraphrase: str
    data: str
    obstacle: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic with its primary category, its neighbour category, its problems, and the methods that only it uses."""

    category: str
    neighbour: str
    aim: str
    problems: tuple[Problem, ...]
    methods: tuple[str, ...]


SHARED_METHODS = (
    "graph neural networks",
    "diffusion models",
    "contrastive learning",
    "reinforcement learning",
    "sparse attention",
    "Gaussian processes",
    "active learning",
    "knowledge distillation",
)
"""Methods that every topic borrows, so that one question can ask about two fields."""

TOPICS = (
    Topic(
        "cs.CL",
        "cs.LG",
        "language understanding",
        (
            Problem("open-domain question answering", "replying to factual queries from a large text collection",
                    "trivia questions with evidence passages", "answers that change over time"),
            Problem("coreference resolution", "deciding which mentions name the same entity",
                    "annotated novels and news stories", "long distances between mentions"),
            Problem("low-resource machine translation", "translating languages with few parallel sentences",
                    "small parallel collections of eleven languages", "scarce parallel text"),
            Problem("abstractive summarization", "condensing long documents in new words",
                    "court decisions with human digests", "statements that the source does not support"),
        ),
        ("back-translation", "span prediction", "constrained decoding"),
    ),
    Topic(
        "cs.IR",
        "cs.CL",
        "information access",
        (
            Problem("query expansion", "adding helpful words to short requests",
                    "search logs of a library catalogue", "ambiguous short requests"),
            Problem("session-based recommendation", "guessing the next item from a brief visit",
                    "anonymous click streams of a bookshop", "visitors without a history"),
            Problem("dense passage retrieval", "finding text fragments by comparing embeddings",
                    "questions paired with encyclopedia passages", "vocabulary that shifts between domains"),
            Problem("result diversification", "covering several intents on one page of hits",
                    "ambiguous topics judged for every intent", "redundant documents near the top"),
        ),
        ("pseudo-relevance feedback", "inverted index pruning", "learning to rank"),
    ),
    Topic(
        "cs.CV",
        "cs.LG",
        "visual recognition",
        (
            Problem("image segmentation", "assigning a class to every pixel",
                    "street scenes from forty towns", "thin and partly hidden objects"),
            Problem("depth estimation", "measuring distances from one photograph",
                    "indoor photographs with laser scans", "reflecting and textureless surfaces"),
            Problem("video object tracking", "following a thing through moving pictures",
                    "sport recordings with fast motion", "long occlusions"),
            Problem("image super-resolution", "recovering fine detail from coarse pictures",
                    "pairs of blurred and sharp microscope images", "unknown blur kernels"),
        ),
        ("deformable convolutions", "mask proposals", "multi-view consistency"),
    ),
    Topic(
        "cs.RO",
        "cs.AI",
        "autonomous behaviour",
        (
            Problem("robotic grasping", "picking up unfamiliar objects with a gripper",
                    "bins of household objects", "slippery and deformable objects"),
            Problem("legged locomotion", "walking over rough ground",
                    "simulated slopes and stairs", "contacts that are hard to simulate"),
            Problem("visual navigation", "reaching a goal indoors with a camera alone",
                    "scanned apartments", "rooms that were never seen in training"),
            Problem("multi-robot coordination", "sharing work within a team of machines",
                    "warehouse floor plans", "unreliable communication"),
        ),
        ("model predictive control", "imitation from demonstrations", "tactile sensing"),
    ),
    Topic(
        "cs.SE",
        "cs.PL",
        "software quality",
        (
            Problem("automated program repair", "mending faulty code without a programmer",
                    "reproducible faults of open-source projects", "patches that only please the tests"),
            Problem("code review assistance", "commenting on proposed source changes",
                    "change requests with reviewer remarks", "remarks that depend on unwritten conventions"),
            Problem("flaky test detection", "spotting checks that pass and fail at random",
                    "nightly build logs", "rare interleavings of threads"),
            Problem("fuzz testing", "crashing programs with generated inputs",
                    "parsers of binary file formats", "checks that reject most generated inputs"),
        ),
        ("symbolic execution", "mutation analysis", "static type inference"),
    ),
    Topic(
        "cs.CR",
        "cs.LG",
        "secure systems",
        (
            Problem("malware classification", "telling harmful programs into families",
                    "disassembled binaries from nine years", "authors who disguise their code"),
            Problem("membership inference", "finding out whether a record was used in training",
                    "hospital records and purchase lists", "models that hide their confidence"),
            Problem("phishing detection", "recognising deceptive messages and sites",
                    "reported mails and web pages", "pages that live for a few hours"),
            Problem("private data release", "publishing statistics without exposing individuals",
                    "census tables of small districts", "a budget of privacy that is soon spent"),
        ),
        ("differential privacy", "homomorphic encryption", "adversarial training"),
    ),
    Topic(
        "stat.ML",
        "math.ST",
        "sound inference",
        (
            Problem("causal effect estimation", "measuring what a treatment changes without an experiment",
                    "observational health records", "hidden common causes"),
            Problem("conformal prediction", "giving intervals that hold with a promised frequency",
                    "regression tables with drifting distributions", "test data that differ from training data"),
            Problem("high-dimensional regression", "fitting more coefficients than observations",
                    "gene expression tables", "strongly correlated features"),
            Problem("change point detection", "locating the moment at which a series starts to behave differently",
                    "sensor series of industrial pumps", "gradual instead of sudden changes"),
        ),
        ("doubly robust estimators", "bootstrap resampling", "variational inference"),
    ),
    Topic(
        "q-bio.BM",
        "cs.LG",
        "molecular design",
        (
            Problem("protein structure prediction", "deriving the fold of an amino acid chain",
                    "chains that were solved by crystallography", "families with few known relatives"),
            Problem("molecular property prediction", "estimating how a compound will behave",
                    "solubility and toxicity assays", "compounds unlike those measured before"),
            Problem("drug repurposing", "finding new uses for approved compounds",
                    "trial registries and interaction tables", "side effects that are seldom reported"),
            Problem("retrosynthesis planning", "working backwards from a compound to its ingredients",
                    "reactions extracted from patents", "steps with several possible reagents"),
        ),
        ("equivariant networks", "multiple sequence alignment", "docking simulations"),
    ),
    Topic(
        "physics.ao-ph",
        "stat.AP",
        "weather and climate",
        (
            Problem("precipitation nowcasting", "foretelling rain for the next two hours",
                    "radar mosaics of mountain valleys", "showers that form within minutes"),
            Problem("sea ice forecasting", "projecting the frozen area of polar oceans",
                    "satellite records since the seventies", "few winters to learn from"),
            Problem("climate downscaling", "turning coarse global projections into local ones",
                    "regional reanalyses", "extremes that coarse grids smooth away"),
            Problem("air quality modelling", "estimating pollution between measuring stations",
                    "hourly readings of city stations", "sparse and drifting sensors"),
        ),
        ("data assimilation", "ensemble post-processing", "neural operators"),
    ),
    Topic(
        "astro-ph.IM",
        "astro-ph.GA",
        "sky surveys",
        (
            Problem("exoplanet detection", "finding distant worlds in starlight",
                    "light curves of quiet dwarfs", "stars that vary on their own"),
            Problem("galaxy morphology classification", "sorting stellar systems by their shape",
                    "survey cutouts labelled by volunteers", "faint and blended sources"),
            Problem("gravitational wave search", "recognising mergers in noisy strain data",
                    "detector recordings with injected signals", "glitches that look like signals"),
            Problem("photometric redshift estimation", "inferring distances from a few colours",
                    "magnitudes with spectroscopic labels", "bright training sets and faint targets"),
        ),
        ("matched filtering", "anomaly scoring", "simulation-based inference"),
    ),
    Topic(
        "eess.AS",
        "cs.SD",
        "spoken communication",
        (
            Problem("speech recognition", "writing down what people say",
                    "phone calls in regional dialects", "overlapping talk and background noise"),
            Problem("speaker diarization", "finding out who spoke when",
                    "recordings of committee meetings", "short and interrupted turns"),
            Problem("voice conversion", "making one person sound like another",
                    "parallel readings by sixty people", "emotions that get lost"),
            Problem("music source separation", "splitting a song into its instruments",
                    "studio recordings with separate tracks", "instruments that share a frequency range"),
        ),
        ("connectionist temporal classification", "spectrogram masking", "neural vocoders"),
    ),
    Topic(
        "econ.EM",
        "q-fin.ST",
        "economic measurement",
        (
            Problem("inflation forecasting", "predicting how fast prices rise",
                    "scanner prices of supermarkets", "sudden shocks to supply"),
            Problem("auction design", "choosing rules under which bidders reveal their values",
                    "bids for radio spectrum", "bidders who collude"),
            Problem("credit risk assessment", "judging whether borrowers will pay back",
                    "loan files of a cooperative bank", "applicants who were turned down"),
            Problem("labour market matching", "bringing vacancies and job seekers together",
                    "vacancy texts and employment histories", "skills that nobody writes down"),
        ),
        ("instrumental variables", "mixed-frequency regression", "mechanism simulations"),
    ),
)  # fmt: skip

GIVEN_NAMES = (
    "Amira", "Björn", "Chiara", "Dimitra", "Emeka", "Fatoumata", "Goran", "Hye-jin", "Ines", "Jörg", "Kavya", "Łukasz",
    "Mei", "Noémie", "Ørjan", "Pilar", "Quang", "Renata", "Søren", "Tomáš", "Umut", "Violeta", "Wanjiru", "Yusuf",
)  # fmt: skip
FAMILY_NAMES = (
    "Abaroa", "Brandvold", "Castelnau", "Dobrescu", "Eskelund", "Farkašová", "Gyllenkrok", "Hatzidakis", "Igwemezie",
    "Jurković", "Kovalčík", "Lindqvistad", "Müllner", "Ngozika", "O’Flahaven", "Pająkowski", "Quispeña", "Rautavuori",
    "Şahinoğlu", "Tranströ", "Uesawa", "Vainshtok", "Wójtowska", "Zhengyao",
)  # fmt: skip

OTHER_SCRIPTS = (
    ("Über naïve Schätzer: coöperative résumés for façade detection",
     "We revisit naïve estimators for façade detection and show that a coöperative scheme with Bézier curves helps. "
     "The error falls from 12 % to 7 % on photographs from Zürich, Kraków and São Paulo."),
    ("文献检索中的查询扩展方法研究",
     "本文研究文献检索中的查询扩展方法。我们提出一种基于伪相关反馈的简单模型, "
     "并在图书馆目录的检索日志上进行实验。结果表明, 召回率明显提高。"),
    ("Ανάλυση χρονοσειρών με μεθόδους πυρήνα",
     "Μελετάμε την ανίχνευση αλλαγών σε χρονοσειρές. "
     "Η μέθοδος χρησιμοποιεί πυρήνες και δίνει εγγυήσεις για το σφάλμα."),
    ("Оценка каузального эффекта по неполным данным",
     "Рассматривается оценка каузального эффекта при скрытых общих причинах. Предложена оценка, устойчивая к ошибкам."),
    ("気象レーダーによる短時間降水予測",
     "気象レーダーの観測を用いて, 二時間先までの降水を予測する手法を提案する。山間部の観測データで有効性を確認した。"),
    ("Emoji 🔭 in the logs: how volunteers label galaxies 🌌",
     "Volunteers who label galaxies write remarks with emoji. We read 40,000 remarks and find that 🌌 marks spirals "
     "and 🙈 marks artefacts, which helps galaxy morphology classification."),
)  # fmt: skip
"""Titles and abstracts outside plain ASCII."""

NUMBER_TITLES = ("1984", "451", "2048", "1729")
"""Titles without a letter."""
