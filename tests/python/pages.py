"""The manual as the tests read it: its pages, tables, code blocks and commands."""

import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "groundswell"
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("cases/**/README.md")])
CASES = sorted(path.parent.name for path in ROOT.glob("cases/*/case.toml"))
# [(COMMAND or TOOL, name, what it does)]: the one table of all commands.
COMMANDS = re.findall(
    r'^(COMMAND|TOOL)\((\w+), "(.*)"\)$',
    (ROOT / "src/groundswell/cli/commands.inc").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def name_of(page):
    return str(page.relative_to(ROOT))


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text):
    """[(language, body)] of fenced code, language "" where none is named; indented code has the language None."""
    found, prose = [], []
    for i, part in enumerate(re.split(r"^```(.*)$", text, flags=re.MULTILINE)):
        if i % 4 == 0:
            prose.append(part)
        elif i % 4 == 1:
            language = part.strip()
        elif i % 4 == 2:
            found.append((language, part.strip("\n") + "\n"))
    indented = re.findall(r"(?:^ {4,}\S.*\n?)+", "\n".join(prose), flags=re.MULTILINE)
    return found + [(None, re.sub(r"^ {4,}", "", body, flags=re.MULTILINE)) for body in indented]


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def inline_code(text):
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def section(text, title):
    """What stands below a heading, down to the next one of the same or a higher level."""
    match = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,6}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert match, f"no section {title}"
    return match[2]


def table(text):
    """Rows of the first table, without its head, cells stripped."""
    lines = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def codes(cell):
    return re.findall(r"`([^`]+)`", cell)


def commands(text):
    """Command lines of code blocks, as lists of words, without launchers, comments and prompts."""
    found = []
    for language, body in blocks(text):
        if language not in (None, "", "sh", "bash", "console"):
            continue
        for line in body.replace("\\\n", " ").splitlines():
            try:
                words = shlex.split(line.removeprefix("$ "), comments=True)
            except ValueError:
                continue
            if words and words[0] in ("mpirun", "mpiexec", "srun"):
                program = next((w for w in words if w.endswith("groundswell")), None)
                words = words[words.index(program) :] if program else []
            if words and words[0] in (
                "make",
                "ctest",
                "groundswell",
                "./groundswell",
                "build/venv/bin/python",
            ):
                found.append(words)
    return found


def case_keys():
    """Every key of both models' case files, as the reference has them, without [] for tables that may be repeated."""
    keys, place = set(), ""
    for page in sorted(ROOT.glob("docs/reference/case-file*.md")):
        place = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            if heading := re.match(r"## `\[+(.*?)\]+`$", line):
                place = heading[1].replace("[]", "") + "."
            elif row := re.match(r"\| `(\w+)` \|", line):
                keys.add(place + row[1])
    return keys


def groundswell(*words, cwd=ROOT):
    """Runs the program alone, as ./groundswell does; returns the finished process."""
    assert (ROOT / "build/release/bin/groundswell").exists(), (
        "the program is not there: run `make build` first"
    )
    line = [str(PROGRAM), *map(str, words)]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
