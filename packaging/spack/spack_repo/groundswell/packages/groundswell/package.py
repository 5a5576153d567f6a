# ruff: noqa: F403, F405  a recipe gets its words that way
import pathlib

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Groundswell(CMakePackage):
    """Waves of the sea and of earthquakes on unstructured meshes: a third-generation spectral wave model on Voronoi
    cells and an ADER-DG earthquake model on tetrahedra, on one parallel runtime."""

    # The checkout that this recipe is part of; what is not committed, only dev-build sees.
    git = pathlib.Path(__file__).resolve().parents[6].as_uri()
    homepage = f"{git}/README.md"

    license("MIT", checked_by="groundswell")

    version("main", branch="main", no_cache=True)

    variant("pnetcdf", default=True, description="Parallel output through PnetCDF")
    variant("proj", default=True, description="All projections of the PROJ library")
    variant("fortran", default=True, description="Fortran modules of the runtime")
    variant("tools", default=True, description="Python packages that meshes and pictures need")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("tomlplusplus", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("mpi@3.1:")
    depends_on("fmt")
    depends_on("hdf5@1.10.5:+hl")
    depends_on("hwloc")
    depends_on("metis")
    depends_on("netcdf-c")
    depends_on("zlib-api")
    depends_on("parallel-netcdf", when="+pnetcdf")
    depends_on("proj", when="+proj")
    depends_on("python@3.10:", type="run")
    with when("+tools"):
        for package in ("numpy", "scipy", "xarray", "matplotlib", "netcdf4", "pillow"):
            depends_on(f"py-{package}", type="run")

    generator("ninja")
    conflicts("%gcc@:11", msg="C++20 as g++ 12 has it")

    def cmake_args(self):
        return [
            self.define_from_variant("GROUNDSWELL_PNETCDF", "pnetcdf"),
            self.define_from_variant("GROUNDSWELL_PROJ", "proj"),
            self.define("GROUNDSWELL_TESTS", False),
            self.define("GROUNDSWELL_BENCH", False),
        ]
