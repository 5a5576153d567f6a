"""The files that winds come in: what they are shows in their first bytes."""

import dataclasses
import pathlib
import zipfile

import numpy as np

from groundswell.errors import refuse

COMPONENTS = ("u10", "v10")


@dataclasses.dataclass
class Grid:
    """x (nx) and y (ny) as a file has them: degrees, or m with `mapping`, the attributes of a CF grid_mapping.

    `along_grid`: the components are those along the axes.
    """

    x: np.ndarray
    y: np.ndarray
    mapping: dict | None = None
    along_grid: bool = False

    def same(self, other):
        near = lambda a, b: len(a) == len(b) and np.allclose(a, b, rtol=1e-7, atol=1e-4)  # noqa: E731
        return (
            near(self.x, other.x)
            and near(self.y, other.y)
            and self.mapping == other.mapping
            and self.along_grid == other.along_grid
        )


@dataclasses.dataclass
class Field:
    """One component at one time. `read()` → (ny, nx), m s-1, NaN where nothing is known."""

    component: int  # 0 eastward, 1 northward
    time: np.datetime64
    order: tuple  # of fields of one time the last one holds
    grid: Grid
    source: str
    read: object


def kind_of(path):
    with open(path, "rb") as file:
        begin = file.read(64)
    if begin.startswith(b"PK\x03\x04"):
        return "zip"
    if b"GRIB" in begin:
        return "grib"
    if begin.startswith((b"CDF", b"\x89HDF")):
        return "netcdf"
    return None


def open_sources(paths, folder, member, progress):
    """[Field] of all files; archives are unpacked into `folder`."""
    fields = []
    for path in expanded(paths, folder):
        progress(f"looking at {path}")
        if kind_of(path) == "grib":
            from groundswell.winds import grib

            fields += grib.fields(path, member)
        else:
            from groundswell.winds import parts

            fields += parts.fields(path, member)
    return fields


def expanded(paths, folder):
    for path in paths:
        kind = kind_of(path)
        if kind is None:
            refuse(path, None, None, "GRIB, NetCDF, a ZIP archive of these, or a storm track")
        if kind != "zip":
            yield path
            continue
        inside = folder / f"{len(list(folder.iterdir()))}"
        inside.mkdir()
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            for number, name in enumerate(names):
                # Names inside an archive may lead anywhere: only their last part counts.
                target = inside / f"{number}-{pathlib.PurePosixPath(name).name}"
                target.write_bytes(archive.read(name))
                if kind_of(target) in ("grib", "netcdf"):
                    yield target
