"""Earthquakes on a GPU: the bits of the processor's kernels that round after each product, on the played device; and what is refused."""

import pytest
from launching import assert_same, build_setting, groundswell, refused, run, write_case
from test_quake_faults import mesh  # noqa: F401
from test_quake_instruction_sets import attenuating, broken, plastic

# x86-64-v2 has no instruction that multiplies and adds with one rounding; nor has what the played device computes with.
UNFUSED = {"GROUNDSWELL_ISA": "v2"}


def on_gpu(table):
    return table | {"run": table.get("run", {}) | {"device": "gpu"}}


@pytest.mark.parametrize("make", [broken, attenuating])
def test_a_case_has_the_bits_of_the_processor(mesh, tmp_path, make):  # noqa: F811
    if build_setting("GROUNDSWELL_ARCH", "portable") != "portable":
        pytest.skip("the program was built for one kind of processor")
    table, files = make(mesh)
    table["time"]["end"] = "0.1s"
    here = write_case(tmp_path / "here.toml", table)
    there = write_case(tmp_path / "there.toml", on_gpu(table))
    run(here, "--output", tmp_path / "here", env=UNFUSED)
    run(there, "--output", tmp_path / "there", env=UNFUSED | {"GROUNDSWELL_PLAYED_DEVICE": "1"})
    assert_same(tmp_path / "here", tmp_path / "there", files)


def test_rock_that_yields_is_refused(mesh, tmp_path):  # noqa: F811
    case = write_case(tmp_path / "case.toml", on_gpu(plastic(mesh)[0]))
    refused(groundswell("run", case, "--check"), "device", "yields")
