"""The steps of gold plans: the same call is written in one place, whichever template needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scholar_env.episode.aise.plan import Step

from .aise_sketch import Who


def step(name: str, order: int, rely: Sequence[str] = (), /, **params: Any) -> Step:
    """A step of a gold plan."""
    return Step(name, tuple(rely), order, params)


def find_author(who: Who, name: str = "search_author_id") -> Step:
    """Find an author."""
    return step(name, 1, **who.params)


def find_leaders(topic: str, measure: str, size: int = 1) -> Step:
    """Find the first authors of a topic by a measure."""
    return step("search_author_id", 1, interest=[topic], order=measure, size=size)


def find_venue(title: str, name: str = "search_venue_id") -> Step:
    """Find a venue by its exact name."""
    return step(name, 1, name=title, name_search_type="exact")


def find_org(*names: str) -> Step:
    """Find organizations by their names."""
    return step("search_org_id", 1, orgs=list(names))


def find_papers_of_author(**params: Any) -> Step:
    """Find papers of the author that was found, by further conditions."""
    return step("search_paper_id", 2, ["search_author_id"], author_id="", **params)


def read_papers(order: int, *rely: str) -> Step:
    """Read papers; without ``rely`` those of the paper search."""
    return step("search_paper_detail", order, rely or ("search_paper_id",), paper_ids=[])


def read_authors(order: int, *rely: str) -> Step:
    """Read authors that earlier steps found."""
    return step("search_author_detail", order, rely, ids=[])


def read_orgs(order: int, *rely: str) -> Step:
    """Read organizations that earlier steps found."""
    return step("search_org_detail", order, rely, ids=[])


def read_venues(order: int, *rely: str) -> Step:
    """Read venues that earlier steps found."""
    return step("search_venue_detail", order, rely, ids=[])


def read_first_paper(sort: str) -> tuple[Step, Step]:
    """Find and read the first paper of the author that was found, by a sort key."""
    return find_papers_of_author(sort=sort, size=1), read_papers(3)


def read_venue_of_paper(order: int) -> tuple[Step, Step]:
    """Find and read the venue of the paper that was read."""
    found = step("search_venue_id", order, ["search_paper_detail"], name="", name_search_type="exact")
    return found, read_venues(order + 1, "search_venue_id")
