"""Peak memory and CPU time of importing a generated ScholarGym release, papers and index.

python benchmarks/import_memory.py --papers 99419
python benchmarks/import_memory.py --papers 570000
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import zipf_corpus

from scholar_env.corpus_import import importer

LIMIT_MIB = 1536.0
CPU_LIMIT_S, CPU_LIMIT_PAPERS = 90.0, 99_419
QUERIES = 983


def main() -> int:
    """Runs the benchmark; returns 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--cache", type=Path, default=zipf_corpus.default_cache())
    parser.add_argument("--import-into", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    release = options.cache / f"release-v{zipf_corpus.VERSION}-{options.papers}"
    if options.import_into is not None:
        return measure(release, options.import_into)
    if not (release / "scholargym_bench.jsonl").exists():
        generate(release, options.papers, options.cache)
    size = (release / "scholargym_paper_db.json").stat().st_size / 2**20
    with tempfile.TemporaryDirectory(dir=options.cache) as folder:
        command = [sys.executable, __file__, "--papers", str(options.papers), "--cache", str(options.cache)]
        environment = {**os.environ, "SCHOLAR_ENV_HOME": folder}
        child = subprocess.run(
            [*command, "--import-into", f"{folder}/corpus"], env=environment, stdout=subprocess.PIPE, check=True
        )
    found = json.loads(child.stdout)
    print(f"{found['papers']} papers, {found['queries']} queries, {size:.0f} MiB of JSON")
    print(f"peak resident memory {found['peak_mib']:8.0f} MiB (limit {LIMIT_MIB:.0f})")
    cpu_limit = CPU_LIMIT_S * max(options.papers / CPU_LIMIT_PAPERS, 0.1)
    print(f"CPU time             {found['cpu_s']:8.1f} s   (limit {cpu_limit:.1f})")
    passed = found["peak_mib"] <= LIMIT_MIB and found["cpu_s"] <= cpu_limit
    ratio = found["peak_mib"] / LIMIT_MIB
    print(f"{'PASS' if passed else 'FAIL'} peak memory is {ratio:.2f} of the limit")
    return 0 if passed else 1


def measure(release: Path, target: Path) -> int:
    """Imports in this process and prints what it took as JSON."""
    report = importer("scholargym")(release, folder=target)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    result = {
        "papers": report.n_papers,
        "queries": report.n_tasks,
        "peak_mib": peak,
        "cpu_s": usage.ru_utime + usage.ru_stime,
    }
    print(json.dumps(result))
    return 0


def generate(release: Path, n: int, cache: Path) -> None:
    """Writes a release of ``n`` papers and :data:`QUERIES` queries, in the layout of the real one."""
    release.mkdir(parents=True, exist_ok=True)
    queries = []
    with (release / "scholargym_paper_db.json").open("w", encoding="utf-8") as file:
        rows = zip(zipf_corpus.texts(n, cache), zipf_corpus.dates(n), strict=True)
        for row, (text, date) in enumerate(rows):
            title, abstract = text.removeprefix("title: ").split(" abstract: ", 1)
            key = f"{row // 100_000:04d}.{row % 100_000:05d}"
            record = {"arxiv_id": key, "title": title, "abstract": abstract, "date": date}
            record |= {"authors": [f"Author {row % 997}", f"Author {row % 1009}"], "category": [f"c.{row % 40}"]}
            file.write(("{" if row == 0 else ", ") + f"{json.dumps(key)}: {json.dumps(record)}")
            if date and row % max(n // QUERIES, 1) == 0 and len(queries) < QUERIES:
                cited = {"arxiv_id": key, "title": title, "year": int(date[:4])}
                query = {"query": title, "cited_paper": [cited], "gt_label": [1], "date": date[:7]}
                queries.append({**query, "source": "generated", "qid": f"Generated_{row}", "valid": True})
        file.write("}")
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    (release / "scholargym_bench.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
