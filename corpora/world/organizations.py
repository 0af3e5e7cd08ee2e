"""Made-up universities and institutes in real cities, with their names in the country's language."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .choice import pick, shuffled
from .names import Names
from .places import COUNTRIES, KINDS, NATIVE_KINDS
from .spec import WorldSpec
from .streams import column

PATRONS = ("{patron} University, {city}", "{patron} Institute, {city}", "{patron} College of Technology, {city}")
"""Institutions named after a person; they have no other name, and there is no end of them."""
PATRON_SHARE = 5
"""One in so many institutions is named after a person."""
SMALL = {"of", "for", "and", "the", "on", "in"}


@dataclass(frozen=True)
class Organizations:
    """Columns of `People` on organizations, and the country of each as a place in `COUNTRIES`."""

    names: tuple[str, ...]
    native: tuple[str, ...]
    acronyms: tuple[str, ...]
    country: NDArray[np.int64]


def draw_organizations(spec: WorldSpec, count: int) -> Organizations:
    """Draw institutions of different names, countries by weight."""
    names = Names(spec.seed, train=spec.train)
    country = pick(column(spec.seed, "org-country", count), [entry.weight for entry in COUNTRIES])
    kinds = {
        at: shuffled(spec.seed, f"org-kinds/{entry.name}", len(entry.cities) * len(KINDS)).tolist()
        for at, entry in enumerate(COUNTRIES)
    }
    patrons = 0
    out: list[tuple[str, str]] = []
    for number, at in enumerate(country.tolist()):
        entry = COUNTRIES[at]
        if kinds[at] and number % PATRON_SHARE:
            place, kind = divmod(kinds[at].pop(), len(KINDS))
            city, native = entry.cities[place]
            own = NATIVE_KINDS[entry.kinds][kind].format(city=native) if entry.kinds else ""
            out.append((KINDS[kind].format(city=city), own))
        else:
            city = entry.cities[number % len(entry.cities)][0]
            out.append((PATRONS[patrons % 3].format(patron=names.person(patrons), city=city), ""))
            patrons += 1
    return Organizations(
        tuple(english for english, _ in out),
        tuple(native for _, native in out),
        tuple(acronym(english) for english, _ in out),
        country,
    )


def acronym(name: str) -> str:
    """Initials of the words of a name, small ones left out; three letters of a name of two words or less."""
    words = [word for word in name.replace(",", " ").replace(".", " ").split() if word not in SMALL]
    return "".join(word[0] for word in words).upper() if len(words) > 2 else "".join(words)[:3].upper()
