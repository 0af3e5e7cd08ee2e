from __future__ import annotations

from pathlib import Path

import pytest

from scholar_env.corpora.world.blocks import read_blocks
from scholar_env.corpora.world.expand import expand, expand_frame
from scholar_env.corpora.world.expand_context import Draws, StarvedError, new_context
from scholar_env.corpora.world.morphology import content_stems, inflect, stem, wants_an
from scholar_env.corpora.world.ontology import REGISTRY_FILE, Ontology, load
from scholar_env.corpora.world.registry import read_registry
from scholar_env.corpora.world.templates import (
    Adjunct,
    Agree,
    Choice,
    Fact,
    Literal,
    Mention,
    Number,
    Polar,
    Predicative,
    Verb,
    parse,
)
from scholar_env.errors import CorpusFormatError

# Files of the tests' own: no edit of what ships can break or hollow out a case. Only the registry is the shipped one.
FIXTURE = Path(__file__).parent / "fixture_ontology"
SUBFIELD, SCOPE, FRAMES = FIXTURE / "q-bio.NC.txt", FIXTURE / "evaluation-scope.txt", FIXTURE / "any.txt"
FILES = sorted(FIXTURE.glob("*.txt"))


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return load(FILES)


def write(folder: Path, text: str, name: str = "planted.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_blocks_keep_keys_marks_extras_and_lines(tmp_path: Path) -> None:
    text = "# note\nkind one two | a=1 b\n\n key*: some [x|y] text | unit=Hz pl\n other@cs,math: more\n"
    (block,) = read_blocks(write(tmp_path, text), "file.txt")
    assert (block.kind, block.args, block.extras) == ("kind", ("one", "two"), {"a": "1", "b": ""})
    first, second = block.lines
    assert (first.key, first.text, first.heldout, first.extras) == (
        "key",
        "some [x|y] text",
        True,
        {"unit": "Hz", "pl": ""},
    )
    assert (second.groups, second.heldout, str(second.where)) == (("cs", "math"), False, "file.txt:5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" key: text\n", "planted.txt:1: 'key: text' stands before any block"),
        ("kind x\n no colon here\n", "planted.txt:2: 'no colon here' is no line of a block"),
        ("kind x\n a: b | u=1 u=2\n", "planted.txt:2: 'u' stands twice behind the bar"),
        ("Kind x\n", "planted.txt:1: 'Kind x' is no head of a block"),
        ("kind x\n a: \tb\n", "planted.txt:2: a line of 6 signs or with a tab"),
        ("kind x\n a: " + "b" * 200 + "\n", "planted.txt:2: a line of 204 signs or with a tab"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CorpusFormatError) as error:
        read_blocks(write(tmp_path, text), "planted.txt")
    assert str(error.value).startswith(message)
    assert "Rule:" in str(error.value)
    assert "Mend:" in str(error.value)


@pytest.mark.parametrize(
    ("source", "old", "new", "message"),
    [
        (SUBFIELD, "concept P/spike-sorting", "concept Q/spike-sorting", "'concept Q/spike-sorting'"),
        (SUBFIELD, " name: spike sorting\n", "", "'concept P/spike-sorting' lacks 'name:'"),
        (SUBFIELD, " name: spike sorting\n", " nmae: spike sorting\n", "key 'nmae' in a 'concept' block"),
        (SUBFIELD, " name: spike sorting\n", " name: spike sorting | plural\n", "'spike sorting | plural'"),
        (SUBFIELD, " refer: task / tasks\n", " refer: task\n", "'task'"),
        (SUBFIELD, "nouns signal\n", "nouns measure\n", "'nouns measure'"),
        (SUBFIELD, "unit=Hz range=2.0-60.0", "unit=Hz range=2.0-60", "range '2.0-60'"),
        (SUBFIELD, "unit=Hz range=2.0-60.0", "unit=Hz range=60.0-2.0", "range '60.0-2.0' is empty"),
        (SUBFIELD, "unit=Hz range=2.0-60.0", "units=Hz", "noun 'firing-rate' with"),
        (SUBFIELD, "verbs disturb\n", "verbs move\n", "'verbs move'"),
        (SUBFIELD, " erupt: erupt, erupts, erupted, erupted, erupting", " erupt: erupt, erupts", "verb 'erupt'"),
        (
            SUBFIELD,
            "| subj=nuisance obj=signal\n swamp",
            "| subj=nuisanse obj=signal\n swamp",
            "subj=nuisanse of verb 'contaminate'",
        ),
        (SUBFIELD, "adjectives material\n", "adjectives matter\n", "adjective 'oxygenated' for matter"),
        (SUBFIELD, "fit P O\n", "fit O P\n", "'fit O P'"),
        (
            SUBFIELD,
            " spike-sorting:                 2 2 2 2 0 1 1 0 2\n",
            " spike-sorting: 2 2\n",
            "row 'spike-sorting' has 2 cells for 9 columns",
        ),
        (
            SUBFIELD,
            " spike-sorting:                 2 2 2 2 0 1 1 0 2\n",
            " spike-sorting: 2 2 2 2 0 1 1 0 9\n",
            "row 'spike-sorting' has 9 cells",
        ),
        (SUBFIELD, "subfield q-bio.NC\n", "subfield biology.NC\n", "'subfield biology.NC'"),
        (SUBFIELD, "eponyms\n", "eponimes\n", "block 'eponimes' in a subfield file"),
        (SUBFIELD, " broad: signal separation\n", " broad: signal separation\n since: new\n", "since 'new'"),
        (SCOPE, "groups: cs, stat", "groups: cs, stats", "groups stats"),
        (SCOPE, " weight: 4\n", " weight: many\n", "weight 'many'"),
        (
            SCOPE,
            " >> no case was revisited after the day of entry",
            "",
            "evidence 'the apparatus in room {n:101-399} served throughout'",
        ),
        (SCOPE, "value single\n", "values single\n", "block 'values single'"),
        (SCOPE, " title: single site\n", " title: single site\n fits: single\n", "'fits:' before any 'evid:'"),
        (FRAMES, "frames cause any\n", "frames because any\n", "proposition 'because'"),
        (FRAMES, "frames cause any\n", "frames cause chemistry\n", "'frames cause chemistry'"),
        (
            FRAMES,
            " c02: {effect} // {v:go",
            " c02: {effect} {v:go",
            "'{effect} {v:go effect} with {cause} <{cond.pp}>'",
        ),
        (FRAMES, "| cause=event\n", "| cause=signal\n", "'cause=signal'"),
        (FRAMES, "| cause=event\n", "| cause=event moves=finale\n", "moves=finale"),
        (FRAMES, "| cause=event\n", "| cause=event tone=positive\n", "tone=positive of a frame of 'cause'"),
    ],
)
def test_faults_in_a_file_are_named(tmp_path: Path, source: Path, old: str, new: str, message: str) -> None:
    text = source.read_text(encoding="utf-8")
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(CorpusFormatError) as error:
        load([write(tmp_path, text.replace(old, new, 1))])
    place, _, what = str(error.value).partition(": ")
    assert what.startswith(message)
    assert abs(int(place.rpartition(":")[2]) - line) <= 2  # a missing line is reported at the head of its block


def test_a_block_in_the_wrong_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusFormatError, match=r"block 'nouns'.*subfield file starts with 'subfield'"):
        load([write(tmp_path, "nouns signal\n a: b / mass\n")])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("types\n a: thing\n", "type 'a'"),
        ("classes\n raise: | subj=ghost\n", "type 'ghost' of class 'raise'"),
        ("classes\n move: raise / lower | by=dir\n", "verb class 'move'"),
        ("props\n cause: cause ghost\n", "role 'cause ghost' of proposition 'cause'"),
        ("colors\n red: x\n", "block 'colors'"),
    ],
)
def test_faults_in_the_registry_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CorpusFormatError) as error:
        read_registry(read_blocks(write(tmp_path, text)))
    assert message in str(error.value)


def test_templates_parse_into_nodes() -> None:
    where = read_blocks(REGISTRY_FILE)[0].where
    text = "the {+cause.pl} {v:move.past cause effect} {agree x: is/are, was/were}[a|]{n1:2-9.word}"
    text += "{fact:gain}{adj x}{dir: up/down}<{c.pp}>"
    assert parse(text, where) == (
        Literal("the "),
        Mention("cause", "", "pl", adjective=True),
        Literal(" "),
        Verb("move", "past", "cause", "effect"),
        Literal(" "),
        Agree("x", (("is", "are"), ("was", "were"))),
        Choice(((Literal("a"),), ())),
        Number("n1", 2, 9, word=True),
        Fact("gain"),
        Predicative("x"),
        Polar("", (("up", "down"),)),
        Adjunct((Mention("c", "", "pp", adjective=False),)),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{cause", "is not closed or nested"),
        ("[a|[b]]", "is not closed or nested"),
        ("a} b", "closes nothing"),
        ("{n:9-2}", "is an empty range"),
        ("{cause.big}", "asks for the form 'big'"),
        ("{v:move.gone a b}", "asks for the verb form 'gone'"),
        ("{agree x: is}", "is no slot"),
        ("{agree x: is/are, was}", "'was' is no pair"),
        ("{two words}", "is no slot"),
    ],
)
def test_broken_templates_are_named(text: str, message: str) -> None:
    where = read_blocks(REGISTRY_FILE)[0].where
    with pytest.raises(CorpusFormatError) as error:
        parse(text, where)
    assert message in str(error.value)


def test_files_are_read_in_full(ontology: Ontology) -> None:
    (subfield,) = [entry for entry in ontology.subfields if entry.id == "q-bio.NC"]
    assert [len(subfield.of_kind(kind)) for kind in "PMO"] == [9, 12, 9]
    models = next(entry for entry in subfield.concepts if entry.id == "q-bio.NC/M/hidden-markov-models")
    assert (models.name.text, models.name.number, models.refer) == ("hidden Markov models", "pl", ("model", "models"))
    assert [(form.text, form.heldout) for form in models.paraphrases] == [
        ("latent state segmentation", False),
        ("discrete regime switching", True),
    ]
    rate = next(entry for entry in subfield.nouns if entry.id == "q-bio.NC/n/firing-rate")
    assert (rate.singular, rate.plural, rate.number, rate.unit, rate.span, rate.decimals) == (
        "firing rate",
        "firing rates",
        "sg",
        "Hz",
        (20, 600),
        1,
    )
    layers = next(entry for entry in subfield.nouns if entry.id == "q-bio.NC/n/deep-layers")
    assert (layers.number, layers.singular, layers.det) == ("pl", "deep cortical layers", "the")
    scope = next(entry for entry in ontology.attributes if entry.id == "scope")
    single = next(value for value in scope.values if value.id == "scope/single")
    assert single.weights == {"cs": 4, "stat": 4, "eess": 4, "q-bio": 6}
    assert single.evidence[0].fits == (("single", "repeated"), ("single", "multi", "transfer", "simulated"))
    assert [half.text for half in single.evidence[0].halves][1] == "no case was revisited after the day of entry"


def test_the_order_of_files_does_not_matter(ontology: Ontology) -> None:
    assert load(reversed(FILES)) == ontology


def test_types_inherit(ontology: Ontology) -> None:
    registry = ontology.registry
    assert registry.is_a("process", ("path",))
    assert registry.is_a("process", ("factor",))
    assert not registry.is_a("nuisance", ("driver",))
    assert registry.leaves(("merit",)) == ("score", "cost")


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("account for", ("accounts for", "accounted for", "accounted for", "accounting for")),
        ("carry", ("carries", "carried", "carried", "carrying")),
        ("map", ("maps", "mapped", "mapped", "mapping")),
        ("decrease", ("decreases", "decreased", "decreased", "decreasing")),
        ("pass", ("passes", "passed", "passed", "passing")),
        ("relay", ("relays", "relayed", "relayed", "relaying")),
        ("agree", ("agrees", "agreed", "agreed", "agreeing")),
    ],
)
def test_regular_verbs(base: str, forms: tuple[str, ...]) -> None:
    assert inflect(base) == forms


def test_articles_follow_the_sound() -> None:
    for word in ("hour", "EEG", "LFP", "error", "8", "11", "unusual", "image", "MRI"):
        assert wants_an(word), word
    for word in ("unit", "user", "European", "one-shot", "Utah", "GPU", "7", "uniform", "house", "BERT"):
        assert not wants_an(word), word


def test_stems_join_what_shares_a_root() -> None:
    for first, second in (
        ("prediction", "predicts"),
        ("learning", "learned"),
        ("stabilization", "stable"),
        ("labels", "labeled"),
        ("mapping", "map"),
    ):
        assert stem(first) == stem(second), (first, second)
    assert stem("noise") != stem("nose")
    assert set(content_stems("the two-photon imaging of a cell")) == {
        stem("two"),
        stem("photon"),
        stem("imaging"),
        stem("cell"),
    }


def test_expansion_depends_on_the_draws_alone(ontology: Ontology) -> None:
    subfield = ontology.subfields[0]
    frame = next(entry for entry in ontology.frames if entry.id == "any/cause/c01")
    texts = [expand_frame(frame, new_context(ontology, subfield, Draws(seed))) for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_slots_read_as_described(ontology: Ontology) -> None:
    subfield = next(entry for entry in ontology.subfields if entry.id == "q-bio.NC")
    where = subfield.where
    nouns = {noun.id.rpartition("/")[2]: noun for noun in subfield.nouns}
    verb = "{v:govern.passive cause effect}"
    for text, thing, expected in (
        ("{x} {be x}", "firing-rate", "firing rate is"),
        ("{x.the} {be x}", "firing-rate", "the firing rate is"),
        ("{x.pl} {be x}", "firing-rate", "firing rates are"),
        ("{x} {be x}", "deep-layers", "the deep cortical layers are"),
        ("{x.a}", "eeg-cap", "a high-density EEG cap"),
        ("{x.a}", "eye-tracker", "an infrared eye tracker"),
        ("{x.the} {have x}", "calibration-trials", "the calibration trials have"),
        ("{x.pp}", "light-anesthesia", "under light anesthesia"),
        ("{x.again} {do x}", "firing-rate", "this signal does"),
        ("{good x: higher/lower}", "decoding-latency", "lower"),
        ("{good x: higher/lower}", "decoding-accuracy", "higher"),
    ):
        context = new_context(ontology, subfield, Draws(5))
        context.things["x"] = nouns[thing]
        assert expand(parse(text, where), context) == expected
    context = new_context(ontology, subfield, Draws(5))
    context.things.update(cause=nouns["lateral-inhibition"], effect=nouns["firing-rate"])
    assert expand(parse(verb, where), context).startswith("is ")
    with pytest.raises(StarvedError, match="role 'ghost' is not filled"):
        expand(parse("{ghost}", where), new_context(ontology, subfield, Draws(5)))


def test_concepts_of_a_context_are_compatible(ontology: Ontology) -> None:
    subfield = next(entry for entry in ontology.subfields if entry.id == "q-bio.NC")
    weights = {pair: weight for fit in subfield.fits for pair, weight in fit.cells.items()}
    for seed in range(300):
        drawn = new_context(ontology, subfield, Draws(seed)).concepts
        for first, second in (("P", "M"), ("P", "O"), ("M", "O")):
            assert weights[drawn[first].id, drawn[second].id] > 0
