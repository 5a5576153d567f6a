"""Debian packages of this build install, run and go without leaving anything; recipes and releases agree with the tree."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest
from pages import ROOT, text_of

PROGRAM = ROOT / "build/release/bin/groundswell"


def tracked(folder):
    return subprocess.run(
        ["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    if shutil.which("dpkg-shlibdeps") is None:
        pytest.skip("not Debian")
    folder = tmp_path_factory.mktemp("packages")
    made = subprocess.run([ROOT / "scripts/package", folder], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return {path.name.split("_")[0]: path for path in folder.glob("*.deb")}


@pytest.mark.long
def test_a_package_installs_runs_and_leaves_nothing_behind(packages, tmp_path):
    root = tmp_path / "root"
    (root / "var/lib/dpkg/info").mkdir(parents=True)
    (root / "var/lib/dpkg/updates").mkdir()
    (root / "var/lib/dpkg/status").touch()
    before = files_in(root)
    dpkg = [
        "dpkg",
        f"--root={root}",
        "--force-depends",
        "--force-not-root",
        "--force-script-chrootless",
        "--log=/dev/null",
    ]
    done = subprocess.run([*dpkg, "--install", *packages.values()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    installed = files_in(root)
    for file in tracked("python/groundswell") + tracked("cases") + tracked("docs"):
        assert f"usr/share/groundswell/{file}" in installed
    assert {
        "usr/include/groundswell/halo/exchange.hpp",
        "usr/share/bash-completion/completions/groundswell",
    } <= installed
    if shutil.which("help2man"):
        commands = re.findall(r"^(?:COMMAND|TOOL)\((\w+),", text_of("src/groundswell/cli/commands.inc"), re.M)
        assert {f"usr/share/man/man1/groundswell-{name}.1.gz" for name in commands} <= installed

    environment = {**os.environ, "PATH": f"{root}/usr/bin:/usr/bin:/bin"}
    case = root / "usr/share/groundswell/cases/growth/case.toml"
    checked = subprocess.run(
        ["groundswell", "run", case, "--check"], env=environment, capture_output=True, text=True
    )
    assert checked.returncode in (0, 2) and "case" in checked.stdout + checked.stderr

    subprocess.run([*dpkg, "--purge", "groundswell", "groundswell-dev"], check=True, capture_output=True)
    left = files_in(root) - before
    assert all(file.startswith("var/lib/dpkg/") for file in left), left


@pytest.mark.long
def test_a_package_names_the_libraries_that_the_program_loads(packages):
    depends = subprocess.run(
        ["dpkg-deb", "--field", packages["groundswell"], "Depends"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for library in ("libnetcdf", "libpnetcdf", "libopenmpi", "libhwloc", "libhdf5", "libmetis", "libfmt"):
        assert library in depends


def test_the_bill_of_materials_names_libraries_and_python_packages():
    made = subprocess.run(
        [ROOT / "scripts/bill-of-materials", PROGRAM], capture_output=True, text=True, check=True
    )
    bill = json.loads(made.stdout)
    names = {component["name"] for component in bill["components"]}
    assert bill["bomFormat"] == "CycloneDX"
    assert {"libmetis5", "numpy", "xarray", "netCDF4"} <= names
    assert all(component["version"] for component in bill["components"])


def test_one_version_everywhere():
    version = re.search(r"project\(groundswell VERSION (\S+)", text_of("CMakeLists.txt"))[1]
    assert f'\nversion = "{version}"\n' in text_of("pyproject.toml")
    assert f"\nversion: {version}\n" in text_of("CITATION.cff")
    assert f"\n## {version}, " in text_of("CHANGELOG.md")


def test_a_release_refuses_what_does_not_agree(tmp_path):
    copy = tmp_path / "tree"
    copy.mkdir()
    archive = tmp_path / "tree.tar"
    subprocess.run(["git", "archive", "--output", archive, "HEAD"], cwd=ROOT, check=True)
    with tarfile.open(archive) as tar:
        tar.extractall(copy)
    changes = (copy / "CHANGELOG.md").read_text()
    (copy / "CHANGELOG.md").write_text(
        re.sub(r"^(## [\d.]+), .*$", r"\1, not released yet", changes, flags=re.M)
    )
    version = re.search(r"project\(groundswell VERSION (\S+)", text_of("CMakeLists.txt"))[1]
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid"]
    subprocess.run(["git", "init", "--quiet"], cwd=copy, check=True)
    subprocess.run(["git", "add", "--all"], cwd=copy, check=True)
    subprocess.run([*git, "commit", "--quiet", "--message=all"], cwd=copy, check=True)

    def refusal(version):
        done = subprocess.run(["scripts/release", version], cwd=copy, capture_output=True, text=True)
        assert done.returncode == 2
        return done.stderr

    assert "expected MAJOR.MINOR.PATCH" in refusal("1.0")
    assert "CMakeLists.txt: expected" in refusal("9.9.9")
    assert "CHANGELOG.md: expected" in refusal(version)
    (copy / "README.md").write_text("changed")
    assert "not committed" in refusal(version)


def test_the_interfaces_become_pages_with_all_that_they_have(tmp_path):
    made = subprocess.run([sys.executable, ROOT / "scripts/api_pages.py", tmp_path])
    assert made.returncode == 0
    pages = {page.stem: page.read_text() for page in (tmp_path / "docs/reference/api").glob("*.md")}
    offered = re.findall(r'"(\w+)"', text_of("python/groundswell/lab/__init__.py").partition("__all__")[2])
    assert len(offered) > 10 and all(f"\n### {name}\n" in pages["python"] for name in offered)
    for module in ("c", "lab"):
        headers = "".join(path.read_text() for path in (ROOT / "src/groundswell" / module).glob("*.h"))
        functions = re.findall(r"^[\w ]+[ *](gs_\w+)\(", headers, re.M)
        assert functions and [name for name in functions if f"\n### {name}\n" not in pages[module]] == []
    assert "class Plan {" in pages["halo"] and "The communication pattern of a halo exchange" in pages["halo"]


@pytest.mark.long
def test_the_manual_becomes_pages_with_a_search(tmp_path):
    if sys.version_info < (3, 11):
        pytest.skip("made with Python 3.11 or later")
    made = subprocess.run([ROOT / "scripts/site", tmp_path / "site"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    pages = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*.html")}
    assert {"index.html", "docs/how-to/mesh.html", "cases/quake/tpv5/index.html"} <= pages
    assert {f"docs/reference/api/{name}.html" for name in ("python", "c", "halo", "simulation")} <= pages
    searched = (tmp_path / "site/search/search_index.js").read_text()
    for name in ("python.html#simulation", "lab.html#gs_simulation_create", "halo.html#plan"):
        assert f"docs/reference/api/{name}" in searched
    assert "docs/reference/case-file.html#" in searched and "garden" in searched.lower()
