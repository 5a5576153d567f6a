#!/usr/bin/env python3
"""Speed of a wheel: bench/wheel_speed.py WHEEL NATIVE [FOLDER [ROUNDS]] → wheel_speed.json.

WHEEL is the command of an environment with the wheel (waves/bin/groundswell), NATIVE a program built for this processor alone
(-DGROUNDSWELL_ARCH=native). Both run the storm of bench/laboratory.py for six hours on one thread and one rank, in turns, the wheel with
its Python, which finds an MPI library, before it. The ratio is that of the least times over rounds.
"""

import os
import sys
import tempfile

from common import output_folder, write_json
from square_sea import make_square, seconds_of, write_storm

ROUNDS, HOURS = 5, 6


def main():
    programs = dict(zip(("wheel", "native"), sys.argv[1:3]))
    del sys.argv[1:3]
    folder = output_folder()
    os.environ["OMP_NUM_THREADS"] = "1"
    # By which the command of the wheel would find another package than its own.
    os.environ.pop("PYTHONPATH", None)
    spent = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as scratch:
        make_square(scratch)
        storm = write_storm(scratch, HOURS)
        for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS):
            for name, program in programs.items():
                run = ["run", storm, "--quiet", "--overwrite", "--output", f"{scratch}/{name}"]
                spent[name].append(seconds_of(program, *run))
    least = {name: min(times) for name, times in spent.items()}
    speed = least["native"] / least["wheel"]
    write_json(
        folder / "wheel_speed.json", {"command": "wheel", "result": {"seconds": spent, "speed": speed}}
    )
    print(f"the wheel {least['wheel']:.2f} s, native {least['native']:.2f} s: {speed:.1%} of its speed")


main()
