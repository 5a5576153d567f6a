"""What the pages on using the runtime from another model print stands in the programs that are run."""

import re

import pages
import pytest
from pages import text_of

SOURCES = {
    "docs/halo-library.md": {
        "cpp": ["docs/examples/diffusion.cpp", "docs/examples/lattice_boltzmann.cpp"],
    },
}


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


@pytest.mark.parametrize("page", SOURCES)
def test_build_lines_of_the_page_are_those_of_the_examples(page):
    project = re.sub(r"\$\{example\}", "diffusion", text_of("docs/examples/CMakeLists.txt"))
    lines = {squeezed(line) for line in project.splitlines()}
    for language, body in pages.blocks(text_of(page)):
        if language == "cmake":
            for line in body.splitlines():
                assert line in lines, line
