"""What CompLit's ``grep`` takes and how long that lasts: ``python benchmarks/grep_patterns.py``.

It searches the titles, abstracts and sections of the default world (5,000 papers) for ordinary patterns and for the
slowest ones that are known to be accepted, and prints the weight (`scholar_env.index.pattern_weight`) and the CPU time
of each; then the weights of patterns that are refused, which with ``--refused`` are timed all the same: minutes. PASS:
each is accepted or refused as expected, and no accepted one takes longer than five seconds.
"""

from __future__ import annotations

import argparse
import time

import re2

from scholar_env.corpus import resolve_corpus
from scholar_env.documents import DocumentStore
from scholar_env.errors import InvalidOptionError
from scholar_env.index.grep import Pattern, compile_pattern, grep
from scholar_env.index.pattern_weight import pattern_weight

LONGEST = 5.0
"""CPU seconds that an accepted pattern may take."""

ORDINARY = (
    "precision at k", r"\d+\.\d+ percent", r"\pL+\pN", r"\pN{3,}", "accuracy.{0,100}percent", r"https?://\S{10,50}",
    r"(accuracy|recall).{0,50}\d+\.\d+", r"(\d+\.\d+ ?){8}", "[^z]{30}zzz",
)  # fmt: skip
SLOWEST = ("[^q]{150} the[^q]{50}q", r"[aeiou]?[^x]{0,3}[aeiou]? the[^x]{50}\pLq")
REFUSED = ("[a-m][a-z ,.]{20}zz", "[a-m][^x]{16}q", "(.{0,50}a){8}z")


def seconds(documents: DocumentStore, pattern: Pattern) -> float:
    """CPU seconds of a search of everything."""
    start = time.process_time()
    grep(documents, pattern, k=10)
    return time.process_time() - start


def main() -> None:
    """Searches and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--refused", action="store_true", help="search for the refused patterns, too")
    options = parser.parse_args()
    documents = resolve_corpus("world").documents
    passed = True
    print(f"{'pattern':<50}{'weight':>8}{'CPU s':>9}")
    for text in (*ORDINARY, *SLOWEST):
        taken = seconds(documents, compile_pattern(text, regex=True))
        passed &= taken <= LONGEST
        print(f"{text:<50}{pattern_weight(text):>8}{taken:>9.2f}", flush=True)
    for text in REFUSED:
        try:
            compile_pattern(text, regex=True)
            passed = False
        except InvalidOptionError:
            pass
        taken_anyway = ""
        if options.refused:
            quiet = re2.Options()
            quiet.log_errors = False
            taken_anyway = f"{seconds(documents, Pattern(re2.compile(text, quiet), literal=False)):>9.2f}"
        print(f"{text:<50}{pattern_weight(text):>8}{taken_anyway:>9} refused", flush=True)
    print("PASS" if passed else "FAIL")


if __name__ == "__main__":
    main()
