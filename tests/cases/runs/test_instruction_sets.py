"""One program on processors of several kinds: AVX2 and AVX-512 make the same bits of a sea, older ones the same sea."""

import json

import netCDF4
import numpy as np
import pytest
from launching import (
    STORM_FILES,
    assert_same,
    build_setting,
    groundswell,
    refused,
    run,
    storm_case,
    write_case,
)

LEVELS = ("v2", "v3", "v4")


@pytest.fixture(scope="module")
def levels():
    """Those that this processor has and the program holds kernels for."""
    if build_setting("GROUNDSWELL_ARCH", "portable") != "portable":
        pytest.skip("the program was built for one kind of processor")
    return [level for level in LEVELS if groundswell("--version", env={"GROUNDSWELL_ISA": level}).code == 0]


# 36 directions end in a part of a register of any width, 24 in a half or a whole one, 10 do not fill one of AVX-512.
@pytest.mark.parametrize("directions", [36, 24, 10])
@pytest.mark.parametrize("scheme", ["upwind", "second-order"])
def test_a_storm_has_the_same_bits_with_registers_of_any_width(
    levels, scheme, directions, coast_mesh, wind_file, tmp_path
):
    table = storm_case(coast_mesh, wind_file, hours=1)
    table["propagation"]["scheme"] = scheme
    table["spectrum"]["directions"] = directions
    case = write_case(tmp_path / "case.toml", table)
    for level in levels:
        run(case, "--output", tmp_path / level, env={"GROUNDSWELL_ISA": level})
        assert json.loads((tmp_path / level / "run.json").read_text())["machine"]["isa"] == level
    if "v4" in levels:
        assert_same(tmp_path / "v4", tmp_path / "v3", STORM_FILES)
    if "v3" in levels:
        # Without fused multiply-add every product is rounded: 1e-5 is far above what an hour makes of that.
        for name in STORM_FILES:
            with (
                netCDF4.Dataset(tmp_path / "v2" / name) as old,
                netCDF4.Dataset(tmp_path / "v3" / name) as new,
            ):
                for field in {"hs", "efth"} & set(old.variables):
                    expected = np.asarray(new[field][:])
                    assert np.abs(np.asarray(old[field][:]) - expected).max() <= 1e-5 * np.abs(expected).max()


def test_a_level_that_is_not_there_is_refused(coast_mesh, wind_file, tmp_path):
    case = write_case(tmp_path / "case.toml", storm_case(coast_mesh, wind_file))
    outcome = groundswell("run", case, "--check", env={"GROUNDSWELL_ISA": "avx2"})
    refused(outcome, "GROUNDSWELL_ISA = avx2", "expected")
    outcome = groundswell("run", case, "--check", env={"GROUNDSWELL_ISA": "avx2"}, ranks=2)
    refused(outcome, "GROUNDSWELL_ISA = avx2", "expected")
