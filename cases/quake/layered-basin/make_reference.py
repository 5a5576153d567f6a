#!/usr/bin/env python3
"""What the surface of this case does in theory, and what the run has it do. See README.md beside this file."""

import argparse
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
THICKNESS = 100.0  # m
LAYER_DENSITY, LAYER_SPEED, QUALITY = 1900.0, 400.0, 20.0  # kg m-3, m s-1 at REFERENCE
ROCK_DENSITY, ROCK_SPEED = 2500.0, 1500.0
REFERENCE = 1.0  # Hz
DEPTH, WIDTH = 600.0, 120.0  # of the pulse at the start, m
QUARTER_WAVELENGTH = LAYER_SPEED / (4.0 * THICKNESS)  # Hz


def layer_speed(frequency):
    """Complex, of rock with a constant Q (E. Kjartansson 1979, doi:10.1029/JB084iB09p04737, equations 25 and 29)."""
    gamma = np.arctan(1.0 / QUALITY) / np.pi
    return LAYER_SPEED * np.cos(0.5 * np.pi * gamma) * (1j * frequency / REFERENCE) ** gamma


def surface_over_incident(frequency):
    """Velocity of the surface over that of the pulse in rock (Kramer 1996, section 7.2.1)."""
    speed = layer_speed(frequency)
    phase = 2.0 * np.pi * frequency * THICKNESS / speed
    impedance = LAYER_DENSITY * speed / (ROCK_DENSITY * ROCK_SPEED)
    return 2.0 / (np.cos(phase) + 1j * impedance * np.sin(phase))


def spectrum_of_pulse(frequency):
    """The size of that of the pulse in rock, m."""
    seconds = WIDTH / ROCK_SPEED
    return seconds * np.sqrt(2.0 * np.pi) * np.exp(-0.5 * (2.0 * np.pi * frequency * seconds) ** 2)


def surface(time):
    """Velocity of the surface, m/s: the pulse through the layer, summed over frequencies."""
    step = 1.0 / 64.0
    frequency = step * np.arange(0.5, 12.0 / step)
    late = (DEPTH - THICKNESS) / ROCK_SPEED
    spectrum = spectrum_of_pulse(frequency) * surface_over_incident(frequency)
    waves = np.exp(2j * np.pi * frequency * (np.asarray(time)[:, None] - late))
    return 2.0 * step * np.real(waves @ spectrum)


def resonance(time, velocity):
    """Frequency (Hz) where the surface moves most compared with the pulse, and by how much."""
    frequency = np.arange(0.5, 1.5, 0.002)
    kernel = np.exp(-2j * np.pi * frequency[:, None] * np.asarray(time)[None, :])
    ratio = abs(kernel @ np.asarray(velocity)) * (time[1] - time[0]) / spectrum_of_pulse(frequency)
    return frequency[ratio.argmax()], ratio.max()


def main():
    options = argparse.ArgumentParser(
        description="Writes output/reference.csv; tells the resonance of a run, if there is one."
    )
    options.add_argument(
        "--output", metavar="FILE.csv", default=FOLDER / "output/reference.csv", type=pathlib.Path
    )
    chosen = options.parse_args()
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    time = 0.01 * np.arange(801)
    velocity = surface(time)
    with chosen.output.open("w", encoding="utf-8") as out:
        out.write("# source: layer of constant Q over elastic rock\ntime,vx\n")
        np.savetxt(out, np.column_stack([time, velocity]), "%.2f,%.9e")
    print(chosen.output)
    print(f"quarter wavelength {QUARTER_WAVELENGTH:.3f} Hz")
    print("theory             {:.3f} Hz, {:.2f} times the pulse".format(*resonance(time, velocity)))
    run = FOLDER / "output/receivers.nc"
    if run.exists():
        import netCDF4

        with netCDF4.Dataset(run) as data:
            print(
                "run                {:.3f} Hz, {:.2f} times the pulse".format(
                    *resonance(data["time"][:].data, data["vx"][:].data.ravel())
                )
            )


if __name__ == "__main__":
    main()
