"""Starting and binding of ranks: the launcher of each MPI library with its options, or a line of the user's."""

import os
import re
import shlex
import shutil
import subprocess

from groundswell.errors import refuse

# What a launcher says of itself with --version, and the names under which it is looked for.
KNOWN = {
    "Open MPI": (r"Open MPI|OpenRTE|PRRTE|prte", ("mpirun", "mpirun.openmpi", "mpiexec")),
    "MPICH": (r"HYDRA|MPICH|mpich", ("mpiexec.hydra", "mpiexec.mpich", "mpiexec", "mpirun.mpich", "mpirun")),
    "Intel(R) MPI": (r"Intel\(R\) MPI", ("mpiexec.hydra", "mpirun", "mpiexec")),
}
FIELDS = ("ranks", "threads", "cores", "binding")


class Launcher:
    """`family` decides how binding and settings of the library are written: Open MPI, MPICH, Intel(R) MPI, srun, or None where
    a line of the user's leaves them out."""

    def __init__(self, family, line):
        self.family, self.line = family, tuple(line)

    def bindings(self):
        return self.family is not None

    def words(self, setting):
        """Words before the program."""
        each = setting.threads + setting.spare
        binding = binding_words(self.family, setting.binding, each) if self.family else []
        fields = {"ranks": setting.ranks, "threads": setting.threads, "cores": each, "binding": ""}
        found = []
        for word in self.line:
            if word == "{binding}":
                found += binding
            else:
                found.append(word.format(**fields))
        return environment_words(self.family, setting, binding) + found

    def command(self, setting, program, case, extra=()):
        """A whole command that runs the case with the setting."""
        sets = [word for key, value in setting.case_keys().items() for word in ("--set", f"{key}={value}")]
        return [*self.words(setting), str(program), "run", str(case.path), *set_words(case), *sets, *extra]


def set_words(case):
    return [word for one in case.sets for word in ("--set", one)]


def binding_words(family, binding, each):
    """For ranks with so many cores each: on neighbouring cores, dealt out over the memory domains, or wherever the system
    likes."""
    if family == "Open MPI":
        if binding == "none":
            return ["--bind-to", "none"]
        place = "numa" if binding == "spread" else "core" if each == 1 else "slot"
        return ["--map-by", place if each == 1 else f"{place}:PE={each}", "--bind-to", "core"]
    if family == "MPICH":
        if binding == "none":
            return ["-bind-to", "none"]
        return ["-bind-to", f"core:{each}", "-map-by", "numa" if binding == "spread" else f"core:{each}"]
    if family == "Intel(R) MPI":
        if binding == "none":
            return ["-genv", "I_MPI_PIN", "0"]
        layout = "scatter" if binding == "spread" else "compact"
        return ["-genv", "I_MPI_PIN", "1", "-genv", "I_MPI_PIN_DOMAIN", f"{each}:{layout}"]
    if family == "srun":
        if binding == "none":
            return ["--cpu-bind=none"]
        return [f"--distribution=block:{'cyclic' if binding == 'spread' else 'block'}", "--cpu-bind=cores"]
    return []


def environment_words(family, setting, binding):
    """Settings of the library that its launcher has no option for, as words before it."""
    if not setting.mpi:
        return []
    return ["env", *(f"{name}={value}" for name, value in setting.mpi)]


def family_of(word):
    """Kind of a launcher by its own --version; None where it does not say."""
    name = os.path.basename(word)
    if name == "srun":
        return "srun"
    try:
        said = subprocess.run([word, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = said.stdout + said.stderr
    return next((family for family, (pattern, _) in KNOWN.items() if re.search(pattern, text)), None)


def from_template(text):
    """A line such as "srun -n {ranks} -c {cores} {binding}"."""
    try:
        words = shlex.split(text)
    except ValueError as problem:
        refuse("command line", "--launcher", text, f"words as a shell takes them ({problem})")
    for word in words:
        for field in re.findall(r"\{([^}]*)\}", word):
            if field not in FIELDS or (field == "binding" and word != "{binding}"):
                refuse(
                    "command line", "--launcher", text, f"of {{ }} only {{{'}, {'.join(FIELDS)}}}, not {word}"
                )
    if not any("{ranks}" in word for word in words):
        refuse("command line", "--launcher", text, "{ranks} where the number of ranks belongs")
    if shutil.which(words[0]) is None:
        refuse("command line", "--launcher", words[0], "a program that is on PATH")
    return Launcher(family_of(words[0]) if "{binding}" in words else None, words)


def launcher_of(library, text=None):
    """The launcher of the program's MPI library, or the one that the user writes."""
    if text:
        return from_template(text)
    _, names = KNOWN.get(library, ("", ("mpirun", "mpiexec")))
    for name in names:
        if shutil.which(name) and family_of(name) == library:
            break
    else:
        refuse(
            "command line",
            "--launcher",
            None,
            f"a launcher of {library} on PATH (looked for {', '.join(names)}), or how ranks are started here: "
            '--launcher "srun -n {ranks} -c {cores} {binding}"',
        )
    root = hasattr(os, "geteuid") and os.geteuid() == 0 and "OMPI_ALLOW_RUN_AS_ROOT" not in os.environ
    allowed = ["--allow-run-as-root"] if library == "Open MPI" and root else []
    return Launcher(library, [name, *allowed, "-n", "{ranks}", "{binding}"])
