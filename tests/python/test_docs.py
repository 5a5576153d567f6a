"""The manual agrees with itself and with the program: links, commands, keys, the example of a source term."""

import functools
import importlib
import itertools
import json
import pathlib
import re
import shlex
import tempfile

import pages
import pytest
from pages import CASES, PAGES, ROOT, groundswell, name_of, text_of

from groundswell import export_cli

TOP_FOLDERS = ("src", "tests", "docs", "cases", "python", "scripts", "bench", "cmake")

TOOLS = [name for kind, name, _ in pages.COMMANDS if kind == "TOOL"]

every_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"[`*]|\[|\]|\(.*?\)", "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@every_page
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)\s]+)\)", pages.without_code(page.read_text(encoding="utf-8")))
    for link in links:
        if re.match(r"https?://|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link}: no such file"
        assert ROOT in target.parents, f"{link}: outside the project"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


@every_page
def test_files_that_are_named_exist(page):
    for word in itertools.chain(*map(str.split, pages.inline_code(page.read_text(encoding="utf-8")))):
        path = word.rstrip(".,;:")
        if (
            path.split("/")[0] not in TOP_FOLDERS
            or "/" not in path
            or re.search(r"[*{<…A-Z]{2,}|[*{<…]", path)
        ):
            continue
        if "/output/" not in path + "/":
            assert (ROOT / path).exists(), f"{path}: no such file"


@every_page
def test_no_page_names_a_place_of_one_machine(page):
    found = re.findall(
        r"(?<![\w.])/(?:work|home|root|tmp|Users|mnt|scratch|opt)/\S*", page.read_text(encoding="utf-8")
    )
    assert not found


# ------------------------------------------------------------------------------------------------------- commands


@functools.cache
def help_of(*words):
    answer = groundswell(*words, "--help")
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def check_groundswell(words):
    """The subcommand exists and knows every option."""
    options = [word.partition("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)]
    command = list(itertools.takewhile(lambda w: not w.startswith("-"), words))[:2]
    kinds = re.findall(r"^ {2,4}([a-z]+)  +", help_of(*command[:1]), re.MULTILINE) if command else []
    is_word = command[:1] == ["export"] and command[1:2] and command[1] in export_cli.KINDS
    if len(command) > 1 and command[1] not in kinds and not is_word:
        assert not kinds, f"{' '.join(words)}: {command[1]} is not in its help"
        command = command[:1]
    known = set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", help_of(*command)))
    for option in options:
        assert option in known | {"--help", "--version"}, f"{' '.join(words)}: {option} is not in its help"


def check_python_tool(words):
    """The tool's own parser takes the words, so nothing that it requires is missing."""
    tool = importlib.import_module(f"groundswell.{words[0]}_cli")
    if words[1] in getattr(tool, "KINDS", {}):  # an import is always of a kind, an export may be
        tool, words = importlib.import_module(tool.KINDS[words[1]][0]), words[1:]
    tool.parser().parse_args(words[1:])


def check_case(words):
    """`run` of a case of the tree reads it: --explain in place of the run."""
    case = words[1]
    if (ROOT / case).exists():
        answer = groundswell("run", *words[1:], "--explain")
        assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize(
    "page", [p for p in PAGES if pages.commands(p.read_text(encoding="utf-8"))], ids=name_of
)
def test_commands_are_understood(page):
    makefile = text_of("Makefile")
    for words in pages.commands(page.read_text(encoding="utf-8")):
        program, *rest = words
        for word in rest:
            made = "/output/" in word or word.endswith(".msh")
            if re.match(rf"(?:{'|'.join(TOP_FOLDERS)})/", word) and not made:
                assert (ROOT / word).exists(), f"{' '.join(words)}: {word} is not there"
        if program == "make":
            for target in (word for word in rest if not word.startswith("-") and "=" not in word):
                assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), f"make {target}"
        elif program.endswith("groundswell"):
            check_groundswell(rest)
            if rest[0] == "run" and len(rest) > 1:
                check_case(rest)
            if rest[0] in TOOLS:
                check_python_tool(rest)


@pytest.mark.parametrize("case", CASES)
def test_every_case_says_how_to_make_run_and_draw_it(case):
    commands = pages.commands(text_of(f"cases/{case}/README.md"))
    assert ["./groundswell", "mesh", "make", "--config", f"cases/{case}/mesh.toml"] in commands
    assert any(words[1:3] == ["run", f"cases/{case}/case.toml"] for words in commands)
    pictures = [words for words in commands if words[1:2] == ["plot"]]
    assert pictures
    written = re.findall(r'^file = "([^"/]+)"', text_of(f"cases/{case}/case.toml"), re.MULTILINE)
    for words in pictures:
        folder, _, name = words[3].rpartition("/")
        assert name in written and f"{folder}/".startswith(f"cases/{case}/output/")


@every_page
def test_commands_in_the_text_are_understood(page):
    for code in pages.inline_code(page.read_text(encoding="utf-8")):
        words = shlex.split(code.partition(">")[0].replace("…", ""))
        if len(words) > 1 and words[0] in ("groundswell", "./groundswell") and "|" not in code:
            check_groundswell(words[1:])


# ------------------------------------------------------------------------------------------------------- case keys


@functools.cache
def explained(*settings):
    """{key: value} of every parameter of the growth case."""
    options = itertools.chain(*(("--set", setting) for setting in settings))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "explained.json"
        answer = groundswell("run", "cases/growth/case.toml", *options, "--explain", "--json", file)
        assert answer.returncode == 0, answer.stderr
        report = json.loads(file.read_text())
    return {entry["key"]: entry["value"] for entry in report["result"]["parameters"]}


@every_page
def test_keys_that_are_named_exist(page):
    known = pages.case_keys()
    sections = {key.partition(".")[0] for key in known if "." in key}
    for code in pages.inline_code(page.read_text(encoding="utf-8")):
        if (
            re.fullmatch(r"\w+(?:\[\])?(?:\.\w+(?:\[\])?)+", code)
            and code.partition(".")[0].strip("[]") in sections
        ):
            key = re.sub(r"\[\]", "", code)
            is_file = re.search(r"\.(?:nc|json|toml|hpp|cpp|png|md|py)$", key)
            assert is_file or key in known or any(k.startswith(key + ".") for k in known), (
                f"{code}: no such key"
            )


def test_equations_are_numbered_without_gaps_and_those_that_are_named_exist():
    page = text_of("docs/explanation/theory-quake.md")
    blocks = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    numbers = [int(n) for block in blocks for n in re.findall(r" \((\d+)\)$", block, re.MULTILINE)]
    assert numbers and numbers == list(range(1, len(numbers) + 1))
    named = {int(n) for n in re.findall(r"[( ]\((\d{1,2})\)[ ,.;:]", pages.without_code(page))}
    assert named and named <= set(numbers)


def test_tunings_differ_as_the_page_says():
    rows = pages.table(pages.section(text_of("docs/explanation/theory.md"), "Source terms"))
    tunings = {name: explained(f"physics.tuning={name}") for name in ("ecwam", "ww3")}
    said = {pages.codes(row[0])[0]: (float(row[2]), float(row[3])) for row in rows}
    for key, values in said.items():
        for tuning, value in zip(tunings.values(), values):
            assert float(tuning[f"physics.{key}"]) == value, key
    different = {key for key in tunings["ww3"] if tunings["ww3"][key] != tunings["ecwam"][key]}
    assert different == {f"physics.{key}" for key in said} | {"physics.tuning"}


def test_packages_have_the_values_that_their_page_says():
    page = pages.section(text_of("docs/explanation/physics-packages.md"), "Values")
    choices = [
        pages.codes(cell)
        for cell in next(line for line in page.splitlines() if line.startswith("| key")).split("|")[3:-1]
    ]
    assert len(choices) == 5
    said = {tuple(choice): {} for choice in choices}
    for key, _, *values in pages.table(page):
        for choice, value in zip(choices, values):
            said[tuple(choice)][pages.codes(key)[0]] = value
    for (package, tuning), values in said.items():
        there = explained(f"physics.package={package}", f"physics.tuning={tuning}")
        for key, value in values.items():
            assert (
                there.get(f"physics.{key}", "") == ""
                if not value
                else float(there[f"physics.{key}"]) == float(value)
            ), (package, key)


# ------------------------------------------------------------------------------------------------------- codes and hooks


def test_exit_codes_are_those_of_the_program():
    enumeration = re.search(
        r"enum class ExitCode[^{]*\{([^}]*)\}", text_of("src/groundswell/base/errors.hpp")
    )[1]
    rows = pages.table(pages.section(text_of("docs/reference/outputs.md"), "Exit codes"))
    assert [int(row[0]) for row in rows] == [int(n) for n in re.findall(r"= (\d+)", enumeration)]


def test_hooks_are_those_of_the_program():
    rows = pages.table(pages.section(text_of("docs/reference/outputs.md"), "For tests of the output"))
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/**/*.cpp"))
    assert {pages.codes(row[0])[0] for row in rows} == set(
        re.findall(r'"(GROUNDSWELL_TEST_[A-Z_]+)"', sources)
    )


def test_codes_of_what_limits_a_run_are_those_of_the_program():
    rows = pages.table(pages.section(text_of("docs/evaluation/performance.md"), "Reading a profile"))
    folder = pages.ROOT / "src/groundswell/simulation"
    files = [*folder.glob("report/limit*.cpp"), folder / "limits/kernel_judgement.cpp"]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    found = r'(?:Limit(?: limit)?|Finding)\s*\{\s*"([a-z-]+)"|limit\.code = "([a-z-]+)"'
    codes = set(re.findall(found, source))
    said = {pages.codes(row[0])[0] for row in rows if pages.codes(row[0])}
    assert said == {one or other for one, other in codes}


# ------------------------------------------------------------------------------------------------------- the example term


EXAMPLE = "docs/examples/ice_damping.cpp"


def steps_of_the_page():
    return [
        body
        for language, body in pages.blocks(text_of("docs/how-to/add-a-source-term.md"))
        if language == "cpp"
    ]


def test_the_page_prints_the_file_that_is_tested():
    assert steps_of_the_page()[0] == text_of(EXAMPLE)
    assert EXAMPLE in text_of("tests/unit/sea/source/example.cpp")
