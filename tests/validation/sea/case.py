"""A case of the book: its folder, its runs, and what they left.

`judge.py` of a folder has

    a docstring        a title, a line without words, and what the page says: equation, paper, set-up
    RUNS               by name, settings of the run: {"mesh": "fine", "physics.package": "wam3", …}
    MESHES             optional, by name, what differs from mesh.toml: {"fine": {"spacing": {"finest_km": 10}}}; None leaves out a table or a key
    NEEDS              optional, a variable of the environment without which the case is left out
    judge(out)         scores, from the output of the runs by their names
    draw(out, figure)  the picture
"""

import dataclasses
import functools
import importlib.util
import json
import os
import pathlib
import platform
import subprocess
import sys

import matplotlib
import netCDF4
import numpy as np
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_PROGRAM", ROOT / "build/release/bin/groundswell"))
OUTPUT = ROOT / "build/validation/sea"

matplotlib.use("Agg")


@dataclasses.dataclass
class Score:
    """A number that has to be within a band."""

    name: str
    value: float
    low: float
    high: float

    def as_dict(self):
        return {**dataclasses.asdict(self), "value": float(f"{self.value:.4g}")}


def worst(name, values, low, high):
    """Score of the value that is farthest from the middle of the band."""
    return Score(name, max(values, key=lambda value: abs(value - 0.5 * (low + high))), low, high)


def legend(figure, axes):
    """That of one panel, beside all of them."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right center")


@dataclasses.dataclass(frozen=True)
class Output:
    """What a run left in its folder."""

    folder: pathlib.Path
    mesh: pathlib.Path

    @functools.cache  # noqa: B019
    def read(self, file):
        """All variables of a file, by name; time in hours since the first record."""
        with netCDF4.Dataset(self.folder / file) as data:
            found = {
                name: np.ma.filled(variable[:].astype(float), np.nan)
                for name, variable in data.variables.items()
                if variable.dtype.kind in "fiu"
            }
        if "time" in found:
            found["hours"] = (found["time"] - found["time"][0]) / 3600
        return found


def toml(table, prefix=""):
    """A request for a mesh as text: tables of numbers, texts and lists."""
    plain = [f"{key} = {json.dumps(value)}" for key, value in table.items() if not isinstance(value, dict)]
    tables = [f"[{prefix}{key}]\n{toml(value, f'{prefix}{key}.')}" for key, value in table.items()
              if isinstance(value, dict)]  # fmt: skip
    return "\n".join([*plain, *tables])


def call(*command):
    environment = {
        **os.environ,
        "PATH": f"{ROOT / 'build/venv/bin'}:{os.environ['PATH']}",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"book.py: error: {' '.join(map(str, command))}\n{done.stderr}")


@functools.cache
def machine():
    """The processor with what tells kinds of one name apart, and how many."""
    lines = (line.partition(":") for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines())
    told = {key.strip(): value.strip() for key, _, value in lines}
    kind = [
        f"{key} {told[name]}" for key, name in (("family", "cpu family"), ("model", "model")) if name in told
    ]
    flags = told.get("flags", "").split()
    kind += ["AVX-512" if "avx512f" in flags else "AVX2"] if "avx2" in flags else []
    model = told.get("model name", platform.machine())
    model += f" ({', '.join(kind)})" if kind else ""
    return f"{model}, {os.cpu_count()} CPUs"


class Case:
    def __init__(self, folder):
        self.folder = folder
        spec = importlib.util.spec_from_file_location(
            f"judge_{folder.name.replace('-', '_')}", folder / "judge.py"
        )
        self.judging = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.judging)
        self.title, _, self.text = self.judging.__doc__.strip().partition("\n\n")
        self.runs = self.judging.RUNS
        self.out = {}

    def mesh(self, name):
        """Makes a mesh where its request is not that of the one that stands."""
        request = tomllib.loads((self.folder / "mesh.toml").read_text(encoding="utf-8"))
        for table, values in getattr(self.judging, "MESHES", {}).get(name, {}).items():
            if values is None:
                del request[table]
            else:
                merged = {**request.get(table, {}), **values}
                request[table] = {key: value for key, value in merged.items() if value is not None}
        if "file" in request["bathymetry"]:
            request["bathymetry"]["file"] = str(self.folder / request["bathymetry"]["file"])
        path = OUTPUT / self.folder.name / f"mesh-{name or 'own'}.nc"
        request.setdefault("mesh", {})["output"] = path.name
        text, config = toml(request) + "\n", path.with_suffix(".toml")
        if not (path.exists() and config.exists() and config.read_text(encoding="utf-8") == text):
            path.parent.mkdir(parents=True, exist_ok=True)
            config.unlink(missing_ok=True)
            fresh = path.with_suffix(".new.toml")
            fresh.write_text(text, encoding="utf-8")
            call(PROGRAM, "mesh", "make", "--config", fresh, "--quiet", "--overwrite")
            fresh.rename(config)
        return path

    def run_one(self, name, mesh, again):
        folder = OUTPUT / self.folder.name / name.replace("/", "-").replace(" ", "-").replace(",", "")
        if again:
            return Output(folder, mesh)
        settings = {"mesh.file": str(mesh), **{k: v for k, v in self.runs[name].items() if k != "mesh"}}
        words = [
            word
            for key, value in settings.items()
            for word in ("--set", f"{key}={text_of(value).replace('{mesh}', str(mesh.with_suffix('')))}")
        ]
        call(PROGRAM, "run", self.folder / "case.toml", "--quiet", "--overwrite", "--output", folder, *words)
        return Output(folder, mesh)

    def run(self, pool, only=None, again=False):
        """Runs all that the case asks for, or those named, as many at once as the pool allows; `again`: takes what they left."""
        chosen = [name for name in self.runs if only is None or name in only]
        meshes = {mesh: self.mesh(mesh) for mesh in {self.runs[name].get("mesh", "") for name in chosen}}
        started = {
            name: pool.submit(self.run_one, name, meshes[self.runs[name].get("mesh", "")], again)
            for name in chosen
        }
        self.out = {name: run.result() for name, run in started.items()}

    def judge(self):
        return self.judging.judge(self.out)

    def draw(self, path):
        import matplotlib.pyplot as plt

        plt.rcParams.update({"font.size": 8, "axes.grid": True, "grid.alpha": 0.3, "axes.axisbelow": True,
                             "legend.frameon": False, "legend.fontsize": 7, "lines.linewidth": 1.2})  # fmt: skip
        figure = plt.figure(figsize=(8.0, 3.2), layout="constrained")
        self.judging.draw(self.out, figure)
        figure.savefig(path, dpi=90, metadata={"Software": None})
        plt.close(figure)


def text_of(value):
    return value if isinstance(value, str) else json.dumps(value)
