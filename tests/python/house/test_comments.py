"""Comments of declarations say what is declared."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STARTS = re.compile(r'\s*(?:///?|!>|""") ?(?:Of|Who|That|For who|To who)\b')
DOCUMENTS = re.compile(r'\s*(?:///|!>|""") ?(?:What|How|Which|Why)\b')  # in comments that tools show
COMMENT = re.compile(r"\s*(?:///?|!>) ")


def test_no_comment_begins_in_mid_sentence():
    """One such as "Of each cell." or "What the mesh is." leaves out the thing that is meant: a noun or a verb comes first."""
    found = []
    for folder, endings in (("src", {".hpp", ".cpp", ".h", ".f90"}), ("python", {".py"}), ("bench", {".py"})):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in endings:
                lines = ["", *file.read_text(encoding="utf-8").splitlines()]
                for number, (before, line) in enumerate(zip(lines, lines[1:]), 1):
                    if (STARTS.match(line) or DOCUMENTS.match(line)) and not COMMENT.match(before):
                        found.append(f"{file.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)
