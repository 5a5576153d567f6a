"""The request of the manual makes a mesh, and the tables there name every key that is read."""

import pathlib
import re

from ground_requests import write_relief

from groundswell import mesh_cli
from groundswell.ground.request import KEYS

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs/how-to/ground-mesh.md").read_text(
    encoding="utf-8"
)


def test_the_request_of_the_manual_makes_a_mesh(tmp_path, capsys):
    text = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
    write_relief(tmp_path / "etopo5.cdf", lambda x, y: 3000 * (121.6 - x), (121, 122), (23.5, 24.5), 31)
    (tmp_path / "ground.toml").write_text(text)
    assert mesh_cli.main(["make", str(tmp_path / "ground.toml")]) == 0
    assert "layer 1, sediments" in capsys.readouterr().out


def test_every_key_is_in_the_tables_of_the_manual():
    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE))))
    known = {key for keys in KEYS.values() for key in keys}
    assert told == known
