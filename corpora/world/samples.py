"""Print filled frames, to be read aloud: `python -m scholar_env.corpora.world.samples SUBFIELD [COUNT [SEED]]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from scholar_env.errors import InvalidOptionError

from .expand import expand_frame
from .expand_context import Draws, StarvedError, new_context
from .ontology import Ontology, load


def samples(ontology: Ontology, name: str, count: int, seed: int = 0) -> Iterator[str]:
    """Yield `count` filled frames of a subfield, each with the frame's id and the paper's concepts.

    Raises:
        InvalidOptionError: There is no such subfield.
    """
    found = [subfield for subfield in ontology.subfields if subfield.id == name]
    if not found:
        known = ", ".join(subfield.id for subfield in ontology.subfields)
        raise InvalidOptionError(f"subfield '{name}'", f"one of {known}", "name one that has a file")
    frames = [frame for frame in ontology.frames if frame.group in ("any", found[0].group)]
    for place in range(count):
        draws = Draws(seed * 1_000_003 + place)
        frame = frames[draws.below(len(frames))]
        context = new_context(ontology, found[0], draws)
        concepts = ", ".join(concept.id.rpartition("/")[2] for concept in context.concepts.values())
        try:
            text = expand_frame(frame, context)
        except StarvedError as error:
            text = f"cannot be filled: {error}"
        yield f"{frame.id} [{concepts}]\n    {text}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print samples; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or not all(number.isdigit() for number in given[1:]):
        print(__doc__)
        return 2
    numbers = [int(number) for number in given[1:3]]
    print("\n".join(samples(load(), given[0], *(numbers or [60]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
