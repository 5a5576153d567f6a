"""What the pages on using the runtime from another model print stands in the programs that are run."""

import re

import pages
import pytest
from pages import text_of

SOURCES = {
    "docs/how-to/halo-library.md": {
        "cpp": ["docs/examples/diffusion.cpp", "docs/examples/lattice_boltzmann.cpp"],
    },
    "docs/how-to/output-library.md": {"cpp": ["docs/examples/drifters.cpp"]},
    "docs/how-to/c-and-fortran.md": {"c": ["docs/examples/heat.c"], "fortran": ["docs/examples/heat.f90"]},
}
HEADERS = ("errors", "halo", "input", "messages", "output")


def squeezed(text):
    """Code without indentation and line breaks."""
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize("page", SOURCES)
def test_code_of_the_page_is_code_that_runs(page):
    for language, files in SOURCES[page].items():
        programs = [squeezed(text_of(file)) for file in files]
        printed = [body for found, body in pages.blocks(text_of(page)) if found == language]
        assert printed
        for body in printed:
            assert any(squeezed(body) in program for program in programs), body


def test_modes_and_exports_of_the_page_are_those_of_the_header():
    text = text_of("docs/how-to/c-and-fortran.md")
    header = text_of("src/groundswell/c/output.h")
    modes = {pages.codes(row[0])[0] for row in pages.table(pages.section(text, "Output"))}
    assert modes == set(re.search(r"mode +((?:\w+ \| )+\w+)", header)[1].split(" | "))
    headers = "".join(text_of(f"src/groundswell/c/{name}.h") for name in HEADERS)
    headers += text_of("src/groundswell/fortran/messages.f90")
    for name in re.findall(r"\bgs_\w+", text):
        assert name in ("gs_", "gs_array") or re.search(rf"\b{name}\b", headers), name


def test_fortran_knows_every_function_of_c():
    """Each C function but gs_check is there for Fortran, under its own name."""
    headers = "".join(text_of(f"src/groundswell/c/{name}.h") for name in HEADERS)
    functions = set(re.findall(r"^\w[\w ]*[ *](gs_\w+)\(", headers, re.MULTILINE))
    public = "".join(re.sub(r"&\n", "", text_of(f"src/groundswell/fortran/{name}.f90")) for name in HEADERS)
    listed = set(re.findall(r"gs_\w+", " ".join(re.findall(r"public :: (.*)", public))))
    assert len(functions) > 30
    assert functions - listed == {"gs_check"}


@pytest.mark.parametrize("page", SOURCES)
def test_build_lines_of_the_page_are_those_of_the_examples(page):
    project = text_of("docs/examples/CMakeLists.txt").replace("${example}", "diffusion")
    lines = {squeezed(line) for line in project.splitlines()}
    for language, body in pages.blocks(text_of(page)):
        if language == "cmake":
            for line in body.splitlines():
                assert line in lines, line
