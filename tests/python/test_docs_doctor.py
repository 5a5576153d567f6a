"""What the manual says of `doctor` and of hints is what the program says."""

import json
import re

import pages
import pytest
from pages import groundswell, text_of

PAGE = pages.section(text_of("docs/reference/outputs.md"), "File systems and hints")
FOLDER = text_of("src/groundswell/cli/doctor/doctor_folder.cpp")
ADVICE = text_of("src/groundswell/output/disk/file_system_advice.cpp")


def test_troubles_of_a_folder_are_all_named():
    known = set(re.findall(r'\{"([a-z]+(?:-[a-z]+)+)",', FOLDER))
    named = {code for code in pages.inline_code(PAGE) if re.fullmatch(r"[a-z]+(-[a-z]+)+", code)}
    assert named == known and len(known) == 6


def test_findings_about_the_launch_are_all_named():
    """Every code that the judgements can give stands in a table of the page, and no other."""
    folder = pages.ROOT / "src/groundswell"
    files = [
        *(folder / "parallel/cores").glob("*_judgement.cpp"),
        folder / "cli/doctor.cpp",
        folder / "cli/doctor/doctor_machine.cpp",
    ]
    given = {
        code
        for file in files
        for code in re.findall(r'\{\s*"([a-z]+(?:-[a-z]+)*)",\s*(?:fmt::format|message|")', file.read_text())
    }
    text = text_of("docs/evaluation/performance.md")
    named = set()
    for title in ("Cores that a run does not get", "`groundswell doctor`"):
        for line in pages.section(text, title).splitlines():
            if found := re.match(r"\| `([a-z]+(?:-[a-z]+)*)` \|", line):
                named.add(found[1])
    keys = {"mpi", "ranks", "hosts", "problems", "speed"}
    assert named - keys == given | {"narrow-registers", "subnormals"} and len(given) > 20


def test_causes_of_slow_kernels_are_all_named():
    judgement = text_of("src/groundswell/simulation/limits/kernel_judgement.cpp")
    given = set(re.findall(r'\{\s*"([a-z]+(?:-[a-z]+)*)",', judgement))
    section = pages.section(text_of("docs/evaluation/performance.md"), "What a kernel has to do")
    named = set(re.findall(r"^\| `([a-z]+(?:-[a-z]+)*)` \|", section, re.MULTILINE))
    assert named == given and len(given) == 6


def test_hints_of_the_page_are_those_that_are_offered():
    offered = set(re.findall(r'\{"((?:striping|nc)_\w+)"', ADVICE))
    rows = pages.table(PAGE)
    assert {code for row in rows for code in pages.codes(row[1])} == offered
    lines = next(body for language, body in pages.blocks(PAGE) if language == "toml")
    for key, value, why in re.findall(r"^(\w+) = (\d+) +# (.+)$", lines, re.MULTILINE):
        assert key in offered and f'"{why}"' in ADVICE and int(value) in (8, 4 * 2**20)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    file = tmp_path_factory.mktemp("doctor") / "doctor.json"
    assert groundswell("doctor", "--output", file.parent, "--json", file).returncode in (0, 1)
    return json.loads(file.read_text())["result"]


def test_keys_of_the_report_are_told(report):
    rows = {
        line.split("|")[1].strip(" `"): set(re.findall(r"`(\w+)`", line.split("|")[2]))
        for line in pages.section(
            text_of("docs/evaluation/performance.md"), "`groundswell doctor`"
        ).splitlines()
        if re.match(r"\| `(mpi|ranks|hosts|speed|problems)` \|", line)
    }
    mpi, machine = report["mpi"], report["hosts"][0]["machine"]
    assert rows["mpi"] == {*mpi, *mpi["transport"], *mpi["features"]}
    assert rows["ranks"] == set(report["ranks"][0])
    assert rows["hosts"] == {*report["hosts"][0], *machine}
    speed = report["speed"]
    assert rows["speed"] == {*speed, *speed["limits"][0], *speed["kernels"][0], "findings", "proxy"}


def test_keys_of_the_report_are_those_of_the_page(report):
    said = pages.inline_code(PAGE.partition("`file_system` in `result`")[2].partition("(each with")[0])
    assert set(report["file_system"]) == set(re.findall(r"\b[a-z]+(?:_[a-z]+)*\b", " ".join(said))) - {
        "local",
        "memory",
        "layered",
        "parallel",
        "network",
        "unknown",
    } | {"notes"}
