"""The recipe for Spack keeps the rules of `spack audit packages` that need no other package than it, and has what the build looks for.

Spack itself is not asked: a module with its words notes what the recipe says.
"""

import contextlib
import inspect
import pathlib
import re
import subprocess
import sys
import types
import urllib.parse

import pytest
from pages import ROOT, text_of

REPOSITORY = "packaging/spack/spack_repo/groundswell"
RECIPE = f"{REPOSITORY}/packages/groundswell/package.py"
# What a spec may have besides its name: @versions, +variants and ~variants, variant=value, %compiler, ^dependency.
SPEC = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)?(?P<rest>([@%^+~][\w.:,-]+| [\w=]+)*)")
DIRECTIVES = ("version", "variant", "depends_on", "conflicts", "license", "generator", "requires", "patch")


class Said:
    """Directives of a recipe, in the form (name, arguments, keywords, conditions around it)."""

    def __init__(self):
        self.all, self.conditions = [], []

    @contextlib.contextmanager
    def when(self, condition):
        self.conditions.append(condition)
        yield
        self.conditions.pop()

    def directive(self, name):
        def note(*arguments, **keywords):
            around = [*self.conditions, *filter(None, [keywords.get("when")])]
            self.all.append((name, arguments, keywords, around))

        return note

    def of(self, name):
        return [(arguments, keywords, around) for one, arguments, keywords, around in self.all if one == name]


@pytest.fixture(scope="module")
def recipe():
    """(class of the recipe, what it said)"""
    said = Said()
    words = types.ModuleType("spack.package")
    for name in DIRECTIVES:
        setattr(words, name, said.directive(name))
    words.when = said.when
    builds = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    builds.CMakePackage = type("CMakePackage", (), {})
    builds.generator = words.generator
    modules = {words.__name__: words, builds.__name__: builds}
    for name in list(modules):
        while name := name.rpartition(".")[0]:
            modules[name] = types.ModuleType(name)
    with pytest.MonkeyPatch.context() as patch:
        for name, module in modules.items():
            patch.setitem(sys.modules, name, module)
        found = {"__file__": str(ROOT / RECIPE), "__name__": "recipe"}
        exec(compile(text_of(RECIPE), RECIPE, "exec"), found)
    return found["Groundswell"], said


def variants_in(spec):
    return set(re.findall(r"[+~]([\w-]+)", spec))


def test_every_directive_has_specs_that_can_be_read(recipe):
    _, said = recipe
    for name, arguments, _, around in said.all:
        specs = [*(arguments[:1] if name in ("depends_on", "conflicts") else []), *around]
        assert all(SPEC.fullmatch(spec) for spec in specs), (name, arguments, around)


def test_conditions_name_no_package_and_only_variants_that_the_recipe_has(recipe):
    _, said = recipe
    known = {arguments[0] for arguments, _, _ in said.of("variant")}
    for name, arguments, _, around in said.all:
        for condition in around:
            assert SPEC.fullmatch(condition)["name"] is None, (name, arguments, condition)
            assert variants_in(condition) <= known, (name, arguments, condition)
    for arguments, _, _ in said.of("conflicts"):
        assert variants_in(arguments[0]) <= known


def test_variants_have_a_default_and_a_description(recipe):
    _, said = recipe
    for arguments, keywords, _ in said.of("variant"):
        assert isinstance(keywords["default"], int) or keywords["default"], arguments
        assert keywords["description"].strip(), arguments


def test_each_version_can_be_fetched_and_none_by_a_weak_checksum(recipe):
    kind, said = recipe
    versions = said.of("version")
    assert versions
    for arguments, keywords, _ in versions:
        assert not keywords.keys() & {"md5", "sha1", "sha512"}
        assert keywords.keys() & {"branch", "tag", "commit", "sha256"}, arguments
    place = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(kind.git).path))
    listed = subprocess.run(
        ["git", "ls-files", RECIPE], cwd=place, capture_output=True, text=True, check=True
    )
    assert listed.stdout.strip() == RECIPE  # a checkout that has this recipe
    assert not kind.homepage.startswith("http://")


def test_the_recipe_has_a_docstring_no_boilerplate_and_no_reserved_name(recipe):
    kind, said = recipe
    assert inspect.getdoc(kind)
    assert not re.search(r"remove this boilerplate|FIX[M]E|example\.com", text_of(RECIPE))
    assert "name" not in vars(kind)
    # The class, the folder and the name that users type are one word; the folder is a module of Python.
    folder = pathlib.Path(RECIPE).parent.name
    assert folder == kind.__name__.lower() and folder.isidentifier()
    assert not [
        method
        for method in vars(kind)
        if method in ("setup_build_environment", "setup_dependent_build_environment")
    ]
    kinds = {word for _, keywords, _ in said.of("depends_on") for word in [keywords.get("type", ())]}
    assert kinds <= {(), "build", "link", "run", "test"}


def test_the_folders_are_those_of_the_package_api_that_the_repository_names():
    assert re.search(r"^  namespace: groundswell\n  api: v2\.\d+$", text_of(f"{REPOSITORY}/repo.yaml"), re.M)
    assert pathlib.Path(REPOSITORY).parts[-2:] == ("spack_repo", "groundswell")
    folders = [path for path in (ROOT / REPOSITORY / "packages").iterdir() if path.name != "__pycache__"]
    assert folders and all((folder / "package.py").exists() for folder in folders)


def test_the_recipe_depends_on_what_cmake_looks_for(recipe):
    _, said = recipe
    wanted = text_of("cmake/GroundswellDependencies.cmake")
    names = {name.lower() for name in re.findall(r"find_package\((\w+)", wanted)} | set(
        re.findall(r"pkg_check_modules\((\w+)", wanted)
    )
    spack = {
        "netcdf": "netcdf-c",
        "pnetcdf": "parallel-netcdf",
        "zlib": "zlib-api",
        "nlohmann_json": "nlohmann-json",
    }
    depends = {SPEC.match(arguments[0])["name"] for arguments, _, _ in said.of("depends_on")}
    assert {spack.get(name, name) for name in names - {"openmp", "gtest", "benchmark"}} <= depends
    options = set(re.findall(r"GROUNDSWELL_\w+", text_of(RECIPE)))
    assert options <= set(re.findall(r"option\((\w+)", text_of("CMakeLists.txt")))
