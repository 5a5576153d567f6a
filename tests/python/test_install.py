"""The lists of packages agree: what the tools need, what an installed tool looks for, what the environments get."""

import re

from pages import text_of


def listed(text):
    return {re.match(r"[\w-]+", word)[0].lower() for word in text}


def wanted_by_the_tools():
    return listed(
        re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*)\]", text_of("pyproject.toml"), re.M)[1])
    )


def of_the_environment():
    lines = text_of("scripts/requirements-use.txt").splitlines()
    return listed(line for line in lines if line and line[0] not in "#-")


def test_an_installed_tool_looks_for_what_the_tools_need():
    launcher = text_of("cmake/groundswell-tools.in")
    packages = re.findall(r'^    "\w+": "([^"]+)",', launcher, re.M) + re.findall(
        r'NEEDED\["(\w+)"\]', launcher
    )
    assert listed(packages) == wanted_by_the_tools()


def test_the_environment_of_the_demo_has_the_tools_and_the_readers_that_the_readme_names():
    sentence = re.search(r"which open in ([^.]*)\(all three in `build/venv`\)", text_of("README.md"))[1]
    readers = set(re.findall(r"\w*(?:xarray|spectra)\b", sentence))
    assert readers == {"xarray", "uxarray", "wavespectra"}
    assert readers | wanted_by_the_tools() - {"tomli"} <= of_the_environment()
