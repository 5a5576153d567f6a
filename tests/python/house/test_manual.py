"""The manual as a whole: its doors, its list of commands, and the keys of the cases that it prints."""

import re

import pages
import pytest
import tomllib
from pages import COMMANDS, PAGES, ROOT, name_of, text_of

from groundswell.scale import machine

FOLDERS = ("tutorials", "how-to", "reference", "explanation", "evaluation")


def test_every_page_stands_in_a_folder_and_on_the_first_page():
    """Pages of the other folders are pictures, examples and books of validation."""
    assert {page.name for page in ROOT.glob("docs/*.md")} == {"README.md", "design.md"}
    linked = set(re.findall(r"\]\(([^)#\s]+)", text_of("docs/README.md")))
    for folder in FOLDERS:
        for page in ROOT.glob(f"docs/{folder}/*"):
            name = str(page.relative_to(ROOT / "docs"))
            assert page.suffix == ".md" and name in linked, f"docs/README.md does not lead to {name}"


def test_the_first_page_of_all_is_short_and_names_both_models():
    text = text_of("README.md")
    sentence = re.search(r"^[A-Z].*?\.\s", text.split("\n\n", 1)[1], re.DOTALL | re.MULTILINE)[0]
    assert "wave" in sentence and "earthquake" in sentence
    assert len(text.splitlines()) <= 80
    at_the_top = [words for words in pages.commands(text) if words[0] == "make"][:3]
    assert at_the_top == [["make", "demo"], ["make", "demo-quake"], ["make", "test"]]


def test_the_list_of_commands_is_the_one_table_of_commands():
    rows = pages.table(text_of("docs/reference/commands.md"))
    assert [(pages.codes(row[0])[0], row[1]) for row in rows] == [(name, does) for _, name, does in COMMANDS]


@pytest.mark.parametrize(("kind", "name", "does"), COMMANDS)
def test_a_row_of_the_table_of_commands_is_all_that_a_command_needs(kind, name, does):
    """Its help begins, and the help of the program names it."""
    if kind == "TOOL":
        assert (ROOT / f"python/groundswell/{name}_cli.py").exists()
    answer = pages.groundswell(name, "--help")
    assert answer.returncode == 0 and "usage" in answer.stdout.lower(), answer.stderr
    assert re.search(rf"^  {name} +\S", pages.groundswell("--help").stdout, re.MULTILINE)


# ------------------------------------------------------------------------------------------- keys of printed cases


def keys_of(table, place=""):
    for key, value in table.items():
        inner = value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]
        for one in inner:
            if isinstance(one, dict):
                yield from keys_of(one, f"{place}{key}.")
            else:
                yield place + key


def printed(page):
    return [body for language, body in pages.blocks(page.read_text(encoding="utf-8")) if language == "toml"]


# Requests of meshes and descriptions of machines, which are no cases.
OTHERS = ("docs/how-to/ground-mesh.md", "docs/how-to/large-runs.md")


@pytest.mark.parametrize("page", [p for p in PAGES if printed(p) and name_of(p) not in OTHERS], ids=name_of)
def test_keys_of_printed_cases_exist(page):
    for body in printed(page):
        named = {key for key in keys_of(tomllib.loads(body)) if not key.startswith("output.hints.")}
        unknown = named - pages.case_keys()
        assert not unknown, f"{unknown} in\n{body}"


def test_the_printed_machine_is_one(tmp_path):
    (tmp_path / "machine.toml").write_text(printed(ROOT / "docs/how-to/large-runs.md")[0])
    assert machine.read(str(tmp_path / "machine.toml")).hosts == 200


# ------------------------------------------------------------------------------------------------ where new code goes


def test_places_where_new_code_goes_exist():
    """NAME stands for the new one: there is another one in such a place already."""
    rows = pages.table(pages.section(text_of("docs/how-to/where-new-code-goes.md"), "Where does a new … go?"))
    assert len(rows) > 12
    for new, *cells in rows:
        for path in (path for cell in cells for path in pages.codes(cell) if "/" in path):
            base = ROOT if path.split("/")[0] in ("python", "tests", "docs") else ROOT / "src/groundswell"
            assert list(base.glob(path.replace("NAME", "*"))), f"{new}: {path}"
