"""Answers made of API results by rules: which records a question is about, and a text that names and cites them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scholar_env.agents.aise_question import Reading

LINKS = {
    "paper": "https://www.aminer.cn/pub/", "author": "https://www.aminer.cn/profile/",
    "venue": "https://www.aminer.cn/open/journal/detail/", "org": "https://www.aminer.cn/institution/",
}  # fmt: skip
MOST = 12
_ABSTRACT = 600


@dataclass(frozen=True)
class Entity:
    """A record of a result.

    Attributes:
        kind: paper, author, venue or org.
        record: Its fields.
    """

    kind: str
    record: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.record.get("paper_id") or self.record.get("id") or "")

    @property
    def name(self) -> str:
        """Its title or name."""
        return str(self.record.get("title") or self.record.get("name") or self.id)


def loaded(text: str) -> Any:
    """A result as JSON; None where it was cut short."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def records_of(api: str, result: Any) -> list[Entity]:
    """The records that a result lists."""
    base = api.partition("(")[0]
    kind = next((kind for kind in ("author", "venue", "org", "paper") if f"_{kind}_" in base), "paper")
    data = result.get("data") if isinstance(result, Mapping) else result
    if isinstance(data, Mapping):
        ids, titles = data.get("paper_ids", []), data.get("titles", [])
        return [Entity("paper", {"paper_id": i, "title": t}) for i, t in zip(ids, titles, strict=False)]
    return [Entity(kind, entry) for entry in data if isinstance(entry, Mapping)] if isinstance(data, list) else []


def compose(reading: Reading, steps: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The answer to a question, from the results of its steps.

    Args:
        reading: The question.
        steps: (API, result) in the order in which they ran.

    Returns:
        ``answer`` and ``reference``; the answer says so where there is nothing to cite.
    """
    found = [(api, records_of(api, result)) for api, result in steps]
    found = [(api, records) for api, records in found if records]
    chosen = _chosen(reading, found)
    if not chosen:
        nothing = "没有找到相关信息。" if reading.language == "zh" else "Nothing was found."
        return {"answer": nothing, "reference": {}}
    numbers: dict[str, int] = {}
    parts = []
    for entity in chosen:
        number = numbers.setdefault(entity.id, len(numbers) + 1)
        parts.append(f"{entity.name}[{number}]{_facts(entity, reading)}")
    kinds = {entity.id: entity.kind for entity in chosen}
    reference = {f"[{number}]": LINKS[kinds[identifier]] + identifier for identifier, number in numbers.items()}
    joined = ("；" if reading.language == "zh" else "; ").join(parts)
    return {"answer": joined + ("。" if reading.language == "zh" else "."), "reference": reference}


def _chosen(reading: Reading, found: Sequence[tuple[str, list[Entity]]]) -> list[Entity]:
    """The records that answer: those of the last step, the subject before them, the best alone where one is wanted."""
    if not found:
        return []
    last = found[-1][1]
    cues = reading.cues
    people = [entity for api, records in found for entity in records if api.startswith("search_author_id")]
    subject = people if len(people) <= 2 and last[0].kind != "author" else []
    if last[0].kind == "author" and "coauthors" in cues and people:
        subject, own = people[:1], people[0].id
        last = [entity for entity in last if entity.id != own]
    if last and last[0].kind == "author" and {"h_index", "compare"} <= cues and "top" not in cues and len(last) > 2:
        last = [max(last, key=lambda entity: int(entity.record.get("h_index") or 0))]
    if last and last[0].kind == "author" and "coauthors" in cues and reading.topics[1:]:
        wanted = {topic.lower() for topic in reading.topics[1:]}
        matching = [entity for entity in last if wanted & {str(t).lower() for t in entity.record.get("interests", [])}]
        last = matching or last
    middle = [entity for api, records in found[:-1] for entity in records if api.startswith("search_paper_detail")]
    if last and last[0].kind in ("venue", "org", "author") and len(middle) == 1:
        subject = [*subject, *middle]
    if last and last[0].kind == "paper" and "coauthors" in cues:
        last = _authors(last, {entity.id for entity in people}) or last
    return [*subject, *last][:MOST]


def _authors(papers: Sequence[Entity], own: set[str]) -> list[Entity]:
    """The authors of papers, but for some."""
    found = {}
    for paper in papers:
        for entry in paper.record.get("authors", []):
            if entry.get("author_id") and entry["author_id"] not in own:
                found[entry["author_id"]] = Entity("author", {"id": entry["author_id"], "name": entry.get("author")})
    return list(found.values())


def _facts(entity: Entity, reading: Reading) -> str:
    """The figures of a record that the question is after, in brackets."""
    record, cues = entity.record, reading.cues
    wanted: list[Any] = []
    if entity.kind == "author":
        names = {"h_index": "h_index", "citations": "citation_num", "n_papers": "pub_num", "position": "position"}
        wanted = [record[field] for cue, field in names.items() if cue in cues and field in record]
        wanted += record.get("interests", []) if "interests" in cues else []
        wanted += record.get("orgs", []) if "institution" in cues else []
    elif entity.kind == "paper":
        wanted = [record.get("year"), record.get("citation")]
        wanted += [record.get("venue")] if "venue" in cues else []
        wanted += record.get("keywords", [])[:3]
        if "summary" in cues or "explain" in cues:
            wanted.append(str(record.get("abstract", ""))[:_ABSTRACT])
        if "authors" in cues:
            wanted += [entry.get("author") for entry in record.get("authors", [])]
    elif entity.kind == "venue":
        wanted = [f"{entry['source']} {entry['quartile']}" for entry in record.get("source_quartiles", [])]
    else:
        wanted = [record.get("established"), record.get("geo", {}).get("country"), record.get("type")]
        wanted += [record.get("paper_count")] if "count" in cues else []
    text = ", ".join(str(value) for value in wanted if value not in (None, ""))
    return f" ({text})" if text else ""
