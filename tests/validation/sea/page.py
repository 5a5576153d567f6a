"""The page of the book, from results.json."""

import datetime

HEAD = """# The sea beside theory, measurements and other models

Made by `make validate`, or one case by `build/venv/bin/python tests/validation/sea/book.py CASE`; nothing here is written by hand. Each case is
a folder of [tests/validation/sea](../../../tests/validation/sea) that runs by itself:

    ./groundswell mesh make --config tests/validation/sea/fetch/mesh.toml
    ./groundswell run tests/validation/sea/fetch/case.toml

The runs of the book differ from that by the settings that `RUNS` in its `judge.py` lists, and are judged by the function `judge` there. A score passes
within its band; **a score in bold does not**, and stays here until it does. Bands are those of the paper named, where it gives
one, else how far models and data are apart. The tests `tests/validation/*.cpp` and `tests/convergence/*.cpp` hold the model from nearer: orders, conservation, currents, packages.
Seconds are those of a machine that had other work besides.

Outside their bands are, each with its reason in its case, heights and drag of packages in winds from 20 m/s on, most of them because the package has
more drag there than was measured; the decay of swell by `st6`, with the coefficients of its authors; a turn by 45° with `zieger`; the frequency at which the discrete
interaction approximation goes from growth to loss; and first order off a shore. Packages whose own curve or home code is known are held to that, too, and are
within: `ww3` to WAVEWATCH III, `ecwam` and `wam6` to FVWAM, `wam3` to Komen et al. (1984).
"""


def ok(score):
    return score["low"] <= score["value"] <= score["high"]


def number(value):
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def write_page(folder, results):
    lines = [HEAD, "| case | scores within their band | run | seconds |", "|---|---|---|---|"]
    for result in results.values():
        good = sum(map(ok, result["scores"]))
        count = f"{good} of {len(result['scores'])}"
        lines.append(
            f"| [{result['title']}](#{anchor(result['title'])}) | {count if good == len(result['scores']) else f'**{count}**'} "
            f"| {result['date']} | {result['seconds']} |"
        )
    for name, result in results.items():
        lines += ["", f"## {result['title']}", "", result["text"].strip(), ""]
        lines += [f"![{result['title']}]({name}.png)", "", "| score | value | band |", "|---|---|---|"]
        for score in result["scores"]:
            value = number(score["value"])
            lines.append(
                f"| {score['name']} | {value if ok(score) else f'**{value}**'} | {score['low']:g} … {score['high']:g} |"
            )
        date = datetime.date.fromisoformat(result["date"])
        lines += [
            "",
            f"[tests/validation/sea/{name}](../../../tests/validation/sea/{name}): {result['runs']} runs, {result['seconds']} s, "
            f"{date.day} {date:%B %Y}, {result['machine']}.",
        ]
    (folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def anchor(title):
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")
