"""Small files and folders: a stranger finds what he looks for by its name."""

import re
import statistics
from collections import Counter, defaultdict
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


def lines_of(files):
    return {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in files}


def test_no_file_is_long_and_most_are_short():
    lines = lines_of(source_files())
    assert {name: count for name, count in lines.items() if count > 400} == {}
    of_src = {name: count for name, count in lines.items() if name.startswith("src/")}
    assert {name: count for name, count in of_src.items() if count > 300} == {}
    assert statistics.median(of_src.values()) <= 90
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


def rooms_that_include(module):
    """{room: rooms whose headers it includes}: folders, and at the module's top each file by its stem."""

    def room(path):
        return path.stem + " (file)" if path.parent == module else str(path.parent.relative_to(module))

    includes = defaultdict(set)
    for file in (*module.rglob("*.cpp"), *module.rglob("*.hpp")):
        text = file.read_text(encoding="utf-8")
        for name in re.findall(rf'^#include "groundswell/{module.name}/(\S+)"', text, re.MULTILINE):
            includes[room(file)].add(room(module / name))
    return includes


def reached_from(start, includes):
    reached, next_ones = set(), [start]
    while next_ones:
        new = includes.get(next_ones.pop(), set()) - reached
        reached |= new
        next_ones += new
    return reached


def folders_in_circles(module):
    includes = {room: others - {room} for room, others in rooms_that_include(module).items()}
    return {room for room in includes if room in reached_from(room, includes) and "(file)" not in room}


def test_folders_of_a_module_do_not_include_in_circles():
    """What stands below is understood without what stands above; between modules the build sees to it."""
    for module in (ROOT / "src/groundswell").iterdir():
        assert folders_in_circles(module) == set(), module.name


def test_a_circle_of_folders_is_seen(tmp_path):
    for name, included in (
        ("a/x.hpp", "b/y.hpp"),
        ("b/y.hpp", "z.hpp"),
        ("z.hpp", "a/x.hpp"),
        ("c/w.hpp", "a/x.hpp"),
    ):
        (tmp_path / "m" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "m" / name).write_text(f'#include "groundswell/m/{included}"\n')
    assert folders_in_circles(tmp_path / "m") == {"a", "b"}


def test_no_two_modules_of_tests_have_the_same_name():
    """pytest imports them by their name alone."""
    names = Counter(
        file.name for folder in ("python", "cases") for file in (ROOT / "tests" / folder).rglob("*.py")
    )
    assert {name: count for name, count in names.items() if count > 1 and name != "conftest.py"} == {}
