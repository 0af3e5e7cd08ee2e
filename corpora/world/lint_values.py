"""Lint rules on attributes: counts per group, levels without shared words, evidence that implies its value."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator

from .findings import Finding
from .lint_forms import numerals
from .morphology import content_stems
from .ontology import Ontology
from .templates import Number, literal_words, walk
from .terms import Attribute, Evidence, Form, Value

MIN_VALUES, MIN_ASKS, MIN_EXPLICIT, MIN_PARAPHRASED, MIN_EVIDENCE = 5, 3, 4, 4, 6
MAX_WEIGHT_SHARE = 0.45
MAX_CLAUSE = 32
OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
COMPARISONS: dict[type[ast.AST], Callable[[int, int], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def lint_values(ontology: Ontology) -> Iterator[Finding]:
    """Yield the findings on attributes."""
    known = {value.id for attribute in ontology.attributes for value in attribute.values}
    for attribute in ontology.attributes:
        yield from attribute_shape(attribute)
        names = {value.id.partition("/")[2] for value in attribute.values}
        for value in attribute.values:
            yield from value_counts(value, attribute)
            yield from value_overlaps(value)
            yield from label_overlaps(value, attribute)
            yield from numerals(
                [
                    *value.asks,
                    *value.explicit,
                    *value.paraphrased,
                    *(half for item in value.evidence for half in item.halves),
                ]
            )
            for item in value.evidence:
                yield from evidence_fits(item, value, names)
                yield from evidence_numbers(item)
            for form in (
                *value.explicit,
                *value.paraphrased,
                *(half for item in value.evidence for half in item.halves),
            ):
                yield from clause_shape(form)
            excluded = (*value.excludes, *(other for item in value.evidence for other in item.excludes))
            for other in excluded:
                if not other.endswith("?") and other not in known:
                    yield Finding(
                        value.where,
                        "unknown-id",
                        f"{value.id} excludes '{other}', which is no value; write '{other}?' while it is not there yet",
                    )


def attribute_shape(attribute: Attribute) -> Iterator[Finding]:
    """Enough values, no value that most papers have."""
    if len(attribute.values) < MIN_VALUES:
        yield Finding(
            attribute.where,
            "too-few",
            f"attribute '{attribute.id}' has {len(attribute.values)} values, at least {MIN_VALUES} are needed",
        )
    for group in attribute.groups:
        weights = {value.id: value.weights.get(group, 0) for value in attribute.values}
        total = sum(weights.values())
        for name, weight in weights.items():
            if total == 0 or weight > MAX_WEIGHT_SHARE * total:
                yield Finding(
                    attribute.where,
                    "skew",
                    f"{name} has weight {weight} of {total} in {group}, at most {MAX_WEIGHT_SHARE:.0%} is allowed",
                )


def value_counts(value: Value, attribute: Attribute) -> Iterator[Finding]:
    """Enough wordings in each group, half of the evidence and a third of the others held out."""
    for group in attribute.groups:
        if not value.weights.get(group):
            continue
        for key, items, least in (
            ("ask", value.asks, MIN_ASKS),
            ("expl", value.explicit, MIN_EXPLICIT),
            ("para", value.paraphrased, MIN_PARAPHRASED),
        ):
            usable = [form for form in items if form.fits(group)]
            held = sum(form.heldout for form in usable)
            if len(usable) < least:
                yield Finding(
                    value.where,
                    "too-few",
                    f"{value.id} has {len(usable)} '{key}:' for {group}, at least {least} are needed",
                )
            elif not 0.2 <= held / len(usable) <= 0.5:
                yield Finding(
                    value.where,
                    "heldout",
                    f"{held} of {len(usable)} '{key}:' of {value.id} for {group} are held out, a third is wanted",
                )
        sets = [item for item in value.evidence if not item.groups or group in item.groups]
        held = sum(item.heldout for item in sets)
        if len(sets) < MIN_EVIDENCE:
            yield Finding(
                value.where,
                "too-few",
                f"{value.id} has {len(sets)} evidence sets for {group}, at least {MIN_EVIDENCE} are needed",
            )
        elif abs(2 * held - len(sets)) > 1:
            yield Finding(
                value.where,
                "heldout",
                f"{held} of {len(sets)} evidence sets of {value.id} for {group} are held out, half is wanted",
            )


def value_overlaps(value: Value) -> Iterator[Finding]:
    """Explicit wordings (and queries), paraphrases and evidence share no content stem."""
    halves = tuple(half for item in value.evidence for half in item.halves)
    levels = (("ask/expl", (*value.asks, *value.explicit)), ("para", value.paraphrased), ("evid", halves))
    for place, (upper, above) in enumerate(levels):
        taken: dict[str, str] = {}
        for form in above:
            taken.update({stem: f"{word}' in '{form.text}" for stem, word in plain_stems(form).items()})
        for lower, below in levels[place + 1 :]:
            for form in below:
                for shared, word in plain_stems(form).items():
                    if shared in taken:
                        what = (
                            f"'{word}' in {lower} '{form.text}' and '{taken[shared]}' ({upper} of {value.id}) "
                            f"share the stem '{shared}'; reword one"
                        )
                        yield Finding(form.where, "shared-stem", what)


def label_overlaps(value: Value, attribute: Attribute) -> Iterator[Finding]:
    """A run-in heading shares no content stem with any wording of a value."""
    labels = {stem: label for label in attribute.labels for stem in content_stems(label.lower())}
    halves = (half for item in value.evidence for half in item.halves)
    for form in (*value.asks, *value.explicit, *value.paraphrased, *halves):
        for shared in sorted(plain_stems(form).keys() & labels):
            yield Finding(
                form.where,
                "shared-stem",
                f"'{form.text}' of {value.id} and the label '{labels[shared]}' share the stem '{shared}'; reword it",
            )


def plain_stems(form: Form) -> dict[str, str]:
    """Content stems of the fixed words of a form."""
    return content_stems(literal_words(form.text).replace("_", " "))


def evidence_fits(item: Evidence, value: Value, names: set[str]) -> Iterator[Finding]:
    """Each half alone fits two values or more; together they leave this value alone."""
    slug = value.id.partition("/")[2]
    if len(item.fits) != len(item.halves):
        what = f"{len(item.halves)} halves and {len(item.fits)} lists in 'fits:'; write 'fits: a, b >> a, c'"
        yield Finding(item.where, "half-fits", what)
        return
    for fitting in item.fits:
        unknown = [name for name in fitting if name not in names]
        if unknown:
            yield Finding(
                item.where, "unknown-id", f"'fits:' names {', '.join(unknown)}, values are {', '.join(sorted(names))}"
            )
        if slug not in fitting or len(set(fitting)) < 2:
            yield Finding(
                item.where,
                "half-fits",
                f"a half fits {', '.join(fitting) or 'nothing'}; it must fit {slug} and at least one other value",
            )
    left = set.intersection(*(set(fitting) for fitting in item.fits))
    if left != {slug}:
        yield Finding(
            item.where,
            "half-fits",
            f"together the halves fit {', '.join(sorted(left)) or 'no value'}, they must leave {slug} alone",
        )


def evidence_numbers(item: Evidence) -> Iterator[Finding]:
    """A `where:` holds for every number that the slots may draw."""
    ranges: dict[str, tuple[int, int]] = {}
    for half in item.halves:
        for node in walk(half.template):
            if isinstance(node, Number) and node.low is not None and node.high is not None:
                ranges[node.name] = (node.low, node.high)
            elif isinstance(node, Number) and node.name not in ranges:
                yield Finding(
                    item.where, "numeral", f"{{{node.name}}} is used before {{{node.name}:low-high}} draws it"
                )
    if not item.condition:
        return
    corners: list[dict[str, int]] = [{}]
    for name, (low, high) in sorted(ranges.items()):
        corners = [{**corner, name: end} for corner in corners for end in (low, (low + high) // 2, high)]
    try:
        failing = [corner for corner in corners if not holds(item.condition, corner)]
    except (ValueError, SyntaxError, ZeroDivisionError) as error:
        yield Finding(
            item.where,
            "where",
            f"'where: {item.condition}' cannot be computed ({error}); use + - * // and comparisons over named numbers",
        )
        return
    if failing:
        yield Finding(item.where, "where", f"'where: {item.condition}' is false for {failing[0]}; narrow the ranges")


def holds(condition: str, numbers: dict[str, int]) -> bool:
    """Compute an integer comparison such as `n1*n2 // 60 >= 500`, chained comparisons included.

    Raises:
        ValueError: Something other than named numbers, integers, + − * // and comparisons.
    """
    match ast.parse(condition, mode="eval").body:
        case ast.Compare(left=first, ops=signs, comparators=parts):
            left = value_of(first, numbers)
        case _:
            raise ValueError("no comparison")
    for sign, part in zip(signs, parts, strict=True):
        right = value_of(part, numbers)
        if type(sign) not in COMPARISONS or not COMPARISONS[type(sign)](left, right):
            return False
        left = right
    return True


def value_of(node: ast.expr, numbers: dict[str, int]) -> int:
    """Compute an integer expression."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name) if name in numbers:
            return numbers[name]
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            return OPERATORS[type(sign)](value_of(left, numbers), value_of(right, numbers))
    raise ValueError(ast.unparse(node))


def clause_shape(form: Form) -> Iterator[Finding]:
    """Clauses start small, end without a stop and are not too long."""
    first = form.text.split()[0]
    if form.text.endswith((".", ",", ";")):
        yield Finding(form.where, "punctuation", f"'{form.text}' ends with a stop; the renderer sets it")
    if first[:1].isupper() and first[1:].islower():
        yield Finding(
            form.where,
            "capital",
            f"'{form.text}' starts with a capital; the renderer sets it at the start of a sentence",
        )
    if len(form.text.split()) > MAX_CLAUSE:
        yield Finding(
            form.where,
            "too-long",
            f"'{form.text}' has {len(form.text.split())} words, at most {MAX_CLAUSE} are allowed",
        )
