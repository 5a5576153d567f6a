"""One way to run a case: ranks, threads, binding, keys of the case, settings of the MPI library."""

import dataclasses

BINDINGS = ("close", "spread", "none")


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

    def __str__(self):
        words = [f"{self.ranks} × {self.threads}", self.binding]
        words += [f"{key} = {value}" for key, value in (*self.keys, *self.mpi)]
        return ", ".join(words)
