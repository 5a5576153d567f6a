"""One way to run a case: ranks, threads, binding, keys of the case, settings of the MPI library."""

import dataclasses
import re

from groundswell.errors import refuse

BINDINGS = ("close", "spread", "none")


def parse_baseline(text):
    """(ranks, threads, binding or None) of --baseline."""
    found = re.fullmatch(r"([1-9]\d*)[x×]([1-9]\d*)(?:,(close|spread|none))?", text)
    if not found:
        refuse("command line", "--baseline", text, "RANKSxTHREADS or RANKSxTHREADS,BINDING, such as 2x1")
    return int(found[1]), int(found[2]), found[3]


@dataclasses.dataclass(frozen=True)
class Setting:
    """`spare`: cores that each rank has besides those of its threads; `keys`: ((key, value)…) in place of the case's;
    `mpi`: ((name, value)…) as the launcher takes them."""

    ranks: int
    threads: int
    binding: str = "close"
    spare: int = 0
    keys: tuple = ()
    mpi: tuple = ()

    @property
    def cores(self):
        return self.ranks * (self.threads + self.spare)

    def with_keys(self, **values):
        """Keys by name with `__` for the dot; None takes one back."""
        merged = {**dict(self.keys), **{name.replace("__", "."): value for name, value in values.items()}}
        kept = tuple(sorted((key, str(value)) for key, value in merged.items() if value is not None))
        return dataclasses.replace(self, keys=kept)

    def described(self):
        """As JSON has it."""
        text = {"ranks": self.ranks, "threads": self.threads, "binding": self.binding}
        if self.spare:
            text["spare_cores"] = self.spare
        return {**text, **dict(self.keys), **dict(self.mpi)}

    def case_keys(self):
        return {"run.threads": str(self.threads), **dict(self.keys)}

    def beside(self, other):
        """Differences from the other, for people."""
        mine, theirs = dict((*self.keys, *self.mpi)), dict((*other.keys, *other.mpi))
        words = []
        if (self.ranks, self.threads) != (other.ranks, other.threads):
            words.append(f"{self.ranks} × {self.threads}")
        if self.binding != other.binding:
            words.append(f"binding {self.binding}")
        if self.spare > other.spare:
            words.append(f"{self.spare} core{'s' if self.spare > 1 else ''} to spare")
        words += [
            f"{key.removeprefix('OMPI_MCA_')} = {value}"
            for key, value in mine.items()
            if theirs.get(key) != value
        ]
        words += [f"{key} as in the case" for key in theirs if key not in mine]
        return ", ".join(words) or "the same"

    def __str__(self):
        words = [f"{self.ranks} × {self.threads}", self.binding]
        words += [f"{key} = {value}" for key, value in (*self.keys, *self.mpi)]
        return ", ".join(words)
