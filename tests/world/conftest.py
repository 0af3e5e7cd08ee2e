"""Worlds that several tests look at, and a small ontology of their own that changes with no data file."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from scholar_env.corpora.world import shipped
from scholar_env.corpora.world.facts import Facts
from scholar_env.corpora.world.facts_build import build_facts
from scholar_env.corpora.world.ontology import Ontology, load
from scholar_env.corpora.world.spec import WorldSpec

NOUNS = {
    "signal": 8, "quantity": 8, "score": 5, "cost": 4, "parameter": 7, "process": 8, "event": 6, "intervention": 5,
    "nuisance": 6, "condition": 8, "resource": 5, "structure": 6, "instrument": 4, "population": 4,
}  # fmt: skip
PLOTTED = ("signal", "score", "cost", "parameter")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
ATTRIBUTES = {
    "scope": {"single": (4, ""), "multi": (3, "size/tiny"), "field": (3, "")},
    "size": {"tiny": (2, ""), "small": (3, ""), "large": (3, "scope/single")},
}


def attribute_text(name: str) -> str:
    """An attribute file."""
    lines = [f"attribute {name}", f" title: {name}", " groups: all", " moves: data, method", " labels: Remark"]
    values = ATTRIBUTES[name]
    for slug, (weight, excludes) in values.items():
        lines += [
            f"value {slug}",
            f" title: {slug}",
            f" weight: {weight}",
            " ask: is it",
            " expl: it is",
            " para: it was",
        ]
        lines += [" evid: it goes >> it comes", f"  fits: {', '.join(values)} >> {slug}, {next(iter(values))}"]
        lines += [f" excludes: {excludes}"] if excludes else []
    return "\n".join(lines) + "\n"


def subfield_text(name: str) -> str:
    """A subfield file with five problems, five methods, four objects, and nouns of most types."""
    lines = [f"subfield {name}", " title: field of tests", f" categories: {name}, x.OTH, y.OTH", " units: case / cases"]
    for kind, count in (("P", 5), ("M", 5), ("O", 4)):
        for at in range(count):
            lines += [f"concept {kind}/{kind.lower()}{at}", f" type: {kind.lower()}/any", f" name: thing {kind}{at}"]
            lines += [
                " para: it",
                " func: doing it",
                " broad: all",
                " refer: thing / things",
                " verbs: see, do",
                " does: go, come" if kind == "M" else "",
            ]
            lines += [" excludes: size/large, setting/none?"] if (kind, at) == ("M", 2) else []
    for kind, count in NOUNS.items():
        lines.append(f"nouns {kind}")
        for at in range(count):
            word = kind[:3] + 2 * LETTERS[at] + "ok"
            extras = [f"unit=1 range={at + 1}-{100 + at}"] if kind in PLOTTED else []
            extras += ["for=O/o1,P/p2"] if at == 5 else ["not=M/m1"] if at == 6 else []
            extras += ["excludes=scope/field"] if (kind, at) == ("event", 1) else []
            lines.append(f" {kind}-{LETTERS[at]}: {word} / {word}s" + (f" | {' '.join(extras)}" if extras else ""))
    for rows, columns, count, width in (("P", "M", 5, 5), ("P", "O", 5, 4), ("M", "O", 5, 4)):
        lines += [f"fit {rows} {columns}", " cols: " + ", ".join(f"{columns.lower()}{at}" for at in range(width))]
        for row in range(count):
            cells = " ".join(str((row + 2 * at + 1) % 3) for at in range(width))
            lines.append(f" {rows.lower()}{row}: {cells}")
    lines += ["fit C O", " cols: o0, o1, o2, o3"]
    lines += [f" condition-{LETTERS[at]}: {' '.join(str((at + col) % 3) for col in range(4))}" for at in range(8)]
    return "\n".join(line for line in lines if line) + "\n"


def write_ontology(folder: Path) -> list[Path]:
    """Write the small ontology; the paths of its files."""
    paths = []
    for name in ("cs.AA", "q-bio.BB"):
        paths.append(folder / f"{name}.txt")
        paths[-1].write_text(subfield_text(name), encoding="utf-8")
    for name in ATTRIBUTES:
        paths.append(folder / f"{name}.txt")
        paths[-1].write_text(attribute_text(name), encoding="utf-8")
    orders = "".join(f"order {slug} {group}\n weight: {weight}\n abstract: aim\n section: All = aim\n"
                     for slug, group, weight in (("one", "cs", 1), ("two", "cs", 2), ("bio", "q-bio", 1)))  # fmt: skip
    paths.append(folder / "orders.txt")
    paths[-1].write_text(orders, encoding="utf-8")
    return paths


@pytest.fixture(scope="session")
def small_files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of the small ontology."""
    return write_ontology(tmp_path_factory.mktemp("ontology"))


@pytest.fixture(scope="session")
def small_ontology(small_files: list[Path]) -> Ontology:
    """Two subfields that stay as they are."""
    return load(small_files)


@pytest.fixture(scope="session", autouse=True)
def _ontology_out_of_the_way() -> None:
    """Keep the collector from walking the ontology, which lives as long as the tests, again and again."""
    shipped.shipped_ontology()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shipped_ontology() -> Ontology:
    """The data files of the package."""
    return shipped.shipped_ontology()


@pytest.fixture(scope="session")
def world(shipped_ontology: Ontology) -> Facts:
    """A world of the default size."""
    return build_facts(shipped_ontology, WorldSpec(7))
