"""Small files and folders: a stranger finds what he looks for by its name."""

import re
import statistics
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENDINGS = {".cpp", ".hpp", ".c", ".h", ".py"}
FOLDERS = ("src", "python", "tests", "bench", "docs", "cases")


def source_files():
    found = []
    for folder in FOLDERS:
        found += [file for file in (ROOT / folder).rglob("*") if file.suffix in ENDINGS]
    assert len(found) > 500
    return found


def test_no_file_is_long_and_most_are_short():
    lines = {file.relative_to(ROOT): len(file.read_text().splitlines()) for file in source_files()}
    assert {str(file): count for file, count in lines.items() if count > 400} == {}
    assert statistics.median(lines.values()) <= 100


def test_no_folder_has_more_than_25_files_at_its_top():
    folders = Counter(file.parent.relative_to(ROOT) for file in source_files())
    assert {str(folder): count for folder, count in folders.items() if count > 25} == {}


def test_no_two_headers_define_a_type_of_the_same_name():
    """They would be one type to the linker."""
    found = {}
    for header in (ROOT / "src/groundswell").rglob("*.hpp"):
        text = header.read_text(encoding="utf-8")
        space = re.search(r"^namespace ([\w:]+)", text, re.MULTILINE)
        for name in re.findall(r"^(?:struct|class) (\w+)(?: : [^{;]*)? \{", text, re.MULTILINE):
            found.setdefault((space[1], name), []).append(header.name)
    assert {key: files for key, files in found.items() if len(files) > 1} == {}


def test_no_two_modules_of_tests_have_the_same_name():
    """pytest imports them by their name alone."""
    names = Counter(
        file.name for folder in ("python", "cases") for file in (ROOT / "tests" / folder).rglob("*.py")
    )
    assert {name: count for name, count in names.items() if count > 1 and name != "conftest.py"} == {}
