"""The first hours of the manual are typed as they are printed, with smaller cases."""

import re
import shutil
import subprocess

import pytest
from launching import ROOT, environment

# What makes a run of each case take a second: (file, as it is, as it becomes).
SMALLER = {
    "daily": [("mesh.toml", "finest_km = 25.0\ncoarsest_km = 70.0", "finest_km = 90.0\ncoarsest_km = 150.0")],
    "quake/local-event": [
        ("mesh.toml", "frequency = 1.35", "frequency = 0.15"),
        ("case.toml", 'end = "16s"', 'end = "2s"'),
    ],
}
# What takes minutes whatever the mesh; other tests run these commands, and hold the printed options against their help.
LONG = r"groundswell (proxy|plot proxy|halo|scale|tune)\b|^make\b|cases/\S*/output/"


def lines_of(page):
    """[(kind, text)]: indented command lines, joined where they go on, and blocks of Python, in their order."""
    text = (ROOT / "docs/tutorials" / f"{page}.md").read_text(encoding="utf-8")
    for code, block in re.findall(r"^```python\n((?:.*\n)*?)```|((?:^ {4}\S.*\n(?: {8}.*\n)*)+)", text, re.M):
        if code:
            yield "python", code
        for line in re.sub(r"\\\n *", "", block).splitlines():
            yield "shell", line.strip()


@pytest.mark.parametrize(
    "page",
    ["first-forecast", "first-measurements", pytest.param("first-earthquake", marks=pytest.mark.long)],
)
def test_the_first_hour_goes_as_it_is_printed(page, tmp_path):
    (tmp_path / "groundswell").symlink_to(ROOT / "groundswell")
    for case, changes in SMALLER.items():
        folder = tmp_path / "cases" / case
        shutil.copytree(ROOT / "cases" / case, folder, ignore=shutil.ignore_patterns("output"))
        for name, before, after in changes:
            text = (folder / name).read_text()
            assert before in text
            (folder / name).write_text(text.replace(before, after))
    typed = 0
    for kind, text in lines_of(page):
        if kind == "shell" and re.search(LONG, text):
            continue
        words = ["python", "-c", text] if kind == "python" else ["bash", "-ec", text]
        said = subprocess.run(
            words, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=300
        )
        told = re.search(r"groundswell (compare|doctor) ", text + " ")  # their answer may be no
        assert said.returncode in ((0, 1) if told else (0,)), f"{text}\n{said.stdout}{said.stderr}"
        typed += 1
    assert typed >= 6
