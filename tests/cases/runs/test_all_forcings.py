"""Current, level, ice, islands smaller than a cell, waves from outside, all source terms and every kind of product at once: the same bits,
and the memory that they take."""

import json
import shutil

import pytest
from launching import ROOT, STORM_FILES, assert_same, moment, run, storm_case, write_case
from ocean import LATITUDE, RAMP_OF_ICE, write_ocean

BATHYMETRY = ROOT / "cases/yagi/etopo5_yagi.nc"


PRODUCTS = [
    *("hs_sea", "tm01_sea", "dir_sea", "hs_swell", "tm01_swell", "dir_swell", "ustokes", "vstokes"),
    *(
        "ustokes_transport",
        "vstokes_transport",
        "mss",
        "uflux",
        "vflux",
        "sxx",
        "sxy",
        "syy",
        "ubot",
        "width",
        "qp",
    ),
    *("hmax", "utauoc", "vtauoc", "phioc", "uforce", "vforce"),
    *(f"{name}_part{number}" for number in range(6) for name in ("hs", "tm01", "dir")),
]


def all_on(mesh, wind, ocean, ice):
    table = storm_case(mesh, wind)
    table["mesh"]["obstruction"] = mesh.with_name(mesh.stem + ".obstruction.nc")
    table["mesh"]["minimum_depth"] = 2.0
    table["current"] = [
        {"file": ocean},
        {"shape": "jet", "amplitude": [0.3, 0.8], "centre": [112.0, 17.0], "width": 200.0, "blend": "add"},
    ]
    table["water_level"] = [{"file": ocean}]
    table["ice"] = [RAMP_OF_ICE]
    table["ice_thickness"] = [{"uniform": 1.5}]
    table["physics"] = {"relative_wind": True, "ice": ice, "ice_viscosity": 0.1}
    table["output"]["map"][1]["fields"] = ["ucur", "level", "siconc", "depth", "tm02"]
    table["output"]["map"] += [
        {"file": "products.nc", "every": "1h", "fields": PRODUCTS},
        {"file": "highest.nc", "every": "2h", "fields": ["hs", "u10", "hmax"], "statistic": "maximum"},
        {"file": "means.nc", "every": "1h", "fields": ["hs", "dir", "ustokes"], "statistic": "mean"},
    ]
    region = {"region": [107.0, 117.0, 13.0, 21.0], "step": [0.5, 0.25]}
    table["output"]["grid"] = [
        {"file": "grid.nc", "every": "1h", "fields": ["hs", "dir", "hs_swell", "utauoc"], **region}
    ]
    budgets = {"spectra": ["ef", "th1m", "sth1m", "stokes", "budgets"], "depths": [0.0, 5.0]}
    table["output"]["points"].append({"file": "rows.nc", "every": "1h", "at": [[112.0, 18.0]], **budgets})
    table["output"]["restart"] = {"every": "1h", "keep": 0}
    return table


@pytest.fixture(scope="module")
def islands(make_mesh):
    """Cells of 15 to 150 km on elevations 9 km apart."""
    spacing = "finest=15,coarsest=150,growth=0.6,gradation=0.3"
    return make_mesh(
        "all-on",
        BATHYMETRY,
        "--region",
        "106,118,12,22",
        "--iterations",
        "20",
        "--spacing",
        spacing,
        "--obstruction",
    )


@pytest.fixture(scope="module")
def ocean(tmp_path_factory):
    return write_ocean(tmp_path_factory.mktemp("ocean") / "cmems.nc", latitude=LATITUDE)


@pytest.mark.parametrize(
    ("ice", "scheme", "clusters"),
    [("blocking", "second-order", 1), ("boundary-layer", "upwind", 1), ("power-law", "second-order", 2)],
)
def test_the_bits_are_the_same_with_everything_on(islands, wind_file, ocean, tmp_path, ice, scheme, clusters):
    table = all_on(islands, wind_file, ocean, ice)
    table["propagation"] = {"scheme": scheme, "cluster_rate": clusters}
    table["boundary"] = [{"hs": 2.5, "tp": 12.0, "direction": 90.0, "spread": 25.0}]
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    files = [*STORM_FILES, "products.nc", "highest.nc", "means.nc", "grid.nc", "rows.nc"]
    files.append("restart_20240906T060000.nc")
    many = ("--set", "run.threads=2", "--set", "mesh.partition=scattered")
    run(case, "--output", tmp_path / "three", *many, ranks=3)
    assert_same(tmp_path / "three", tmp_path / "one", files)
    shutil.copytree(tmp_path / "one", tmp_path / "again")
    restart = tmp_path / "one/restart_20240906T050000.nc"
    run(case, "--output", tmp_path / "again", "--restart", restart, "--set", "run.threads=2", ranks=2)
    assert_same(tmp_path / "again", tmp_path / "one", files)


def test_a_bin_takes_at_most_ten_bytes_with_everything_on(make_mesh, wind_file, ocean, tmp_path):
    """Of 36 × 35 bins, as the run accounts for its memory: what a larger mesh takes more, over the bins that it has more."""
    taken = []
    for name, spacing in (("few", "90"), ("many", "18")):
        region = ("--region", "106,118,12,22", "--iterations", "2", "--spacing", spacing, "--obstruction")
        table = all_on(make_mesh(name, BATHYMETRY, *region), wind_file, ocean, "boundary-layer")
        table["time"]["end"] = moment(3.1)
        table["spectrum"] = {"directions": 36, "frequencies": 35}
        table["output"] = {"map": [{"file": "map.nc", "every": "6min", "fields": ["hs"]}]}
        run(write_case(tmp_path / f"{name}.toml", table), "--output", tmp_path / name)
        result = json.loads((tmp_path / name / "run.json").read_text())["result"]
        parts = ("state", "mesh", "halo", "forcing", "tables")
        taken.append(
            (result["bins"] * result["cells"], sum(result["memory"][part]["mean"] for part in parts))
        )
    (few, less), (many, more) = taken
    assert many > 10 * few and many > 4e6
    assert 8.0 < (more - less) / (many - few) < 10.0
