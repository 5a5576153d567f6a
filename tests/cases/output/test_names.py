"""Names that a command is told to write: inputs are not replaced, nor is what is no file; what cannot be written is found first."""

import json
import os
import stat
import subprocess
import threading

import pytest
from faults import sets, small_storm, without_privilege
from launching import finish, groundswell, refused, run, start


@pytest.fixture(scope="module")
def case(tmp_path_factory, coast_mesh, wind_file):
    return small_storm(tmp_path_factory.mktemp("names"), coast_mesh, wind_file, hours=2)


@pytest.fixture
def device(tmp_path):
    """The null device by another name."""
    path = tmp_path / "device.nc"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        path.read_bytes()
    except OSError as error:
        pytest.skip(f"making a device here: {error}")
    return path


def is_report(text, command):
    report = json.loads(text)
    return report["schema"] == 1 and report["command"] == command


def test_a_report_goes_into_a_device_and_a_pipe(tmp_path, wind_file, device):
    assert groundswell("verify", wind_file, "--json", device).code == 0
    assert stat.S_ISCHR(device.stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert groundswell("verify", wind_file, "--json", pipe).code == 0
    reader.join(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and is_report(read[0], "verify")


def test_a_report_goes_where_a_link_leads(tmp_path, wind_file):
    (tmp_path / "far").mkdir()
    link = tmp_path / "report.json"
    link.symlink_to("far/report.json")
    for _ in range(2):  # the file is not there, and there
        assert groundswell("verify", wind_file, "--json", link).code == 0
        assert link.is_symlink() and is_report((tmp_path / "far/report.json").read_text(), "verify")


def test_standard_output_by_its_name_holds_the_report_alone(wind_file):
    assert is_report(groundswell("verify", wind_file, "--json", "/dev/stdout").stdout, "verify")


def test_a_full_device_is_told_in_the_systems_words(wind_file):
    outcome = groundswell("verify", wind_file, "--json", "/dev/full")
    assert outcome.code == 3 and outcome.errors == ["/dev/full: cannot be written: No space left on device"]
    into_it = ["sh", "-c", 'exec "$@" >/dev/full', "sh"]
    outcome = finish(start("verify", wind_file, "--json", "-", wrapper=into_it))
    assert outcome.code == 3 and outcome.errors == [
        "standard output: cannot be written: No space left on device"
    ]


def test_no_report_replaces_what_its_command_reads(case, tmp_path, coast_mesh, wind_file):
    link = tmp_path / "link.json"
    link.symlink_to(coast_mesh)
    for arguments in (
        ["verify", wind_file, "--json", wind_file],
        ["compare", coast_mesh, wind_file, "--json", wind_file],
        ["partition", coast_mesh, "--json", link],
        ["partition", coast_mesh, "--output", coast_mesh, "--overwrite"],
        ["volume", coast_mesh, "--json", coast_mesh],
        ["halo", coast_mesh, "--json", coast_mesh],
        *(
            ["run", case, "--output", tmp_path / "out", "--json", name]
            for name in (case, coast_mesh, wind_file)
        ),
        *(
            ["run", case, "--output", tmp_path, "--json", tmp_path / name]
            for name in ("hourly.nc", "hourly.nc.part", "restart_20240906T040000.nc", ".groundswell.lock")
        ),
    ):
        before = [path.read_bytes() for path in (case, coast_mesh, wind_file)]
        refused(groundswell(*arguments), "another name")
        assert before == [path.read_bytes() for path in (case, coast_mesh, wind_file)], arguments
    assert not (tmp_path / "out").exists()


def test_no_map_replaces_an_input_or_a_device(case, tmp_path, coast_mesh, wind_file, device):
    for path in (coast_mesh, wind_file, case):
        number = 1 if path.name == "wind.nc" else 0  # which is what the second map is called anyway
        named = ["--output", path.parent, "--set", f'output.map.{number}.file="{path.name}"']
        before = path.read_bytes()
        refused(groundswell("run", case, *named, "--overwrite"), path.name, "another name")
        assert path.read_bytes() == before
    named = ["--output", tmp_path, "--set", 'output.map.0.file="device.nc"']
    refused(groundswell("run", case, *named, "--overwrite"), "device.nc", "there is a device of this name")
    arguments = ["partition", coast_mesh, "--parts", 4, "--output", device, "--overwrite"]
    refused(groundswell(*arguments), "there is a device of this name")
    assert stat.S_ISCHR(device.stat().st_mode)


def test_a_map_that_is_a_link_is_written_where_it_leads(case, tmp_path):
    (tmp_path / "disk").mkdir()
    output = tmp_path / "output"
    output.mkdir()
    for name in ("hourly.nc", "restart_20240906T040000.nc"):
        (output / name).symlink_to(f"../disk/{name}")
    run(case, "--output", output)
    for name in ("hourly.nc", "restart_20240906T040000.nc"):
        assert (output / name).is_symlink()
        assert groundswell("verify", tmp_path / "disk" / name).code == 0


RESTART = "restart_20240906T050000.nc"


@pytest.mark.parametrize(
    "name", ["run.json", "run.json.part", RESTART, RESTART + ".part", "wind.nc.part", "spectra.nc"]
)
def test_a_folder_in_the_place_of_a_file_is_found_before_the_run(case, tmp_path, name):
    (tmp_path / name).mkdir()
    outcome = groundswell("run", case, "--output", tmp_path, "--overwrite", ranks=2)
    message = refused(outcome, f"{tmp_path}/{name}")
    assert "folder" in message or "Is a directory" in message
    assert os.listdir(tmp_path) == [name]


@pytest.mark.skipif(os.geteuid() != 0, reason="giving files away needs root")
@pytest.mark.parametrize("name", ["run.json", RESTART])
def test_a_file_of_somebody_else_is_found_before_the_run(case, tmp_path, name):
    """In a folder like /tmp, where everybody makes files and removes only his own."""
    folder = tmp_path / "output"
    folder.mkdir()
    (folder / name).touch()
    for path in (folder, folder / name):
        os.chown(path, 65534, 65534)
    folder.chmod(0o1777)
    caps = "-fowner,-dac_override,-dac_read_search"
    wrapper = ["setpriv", f"--bounding-set={caps}", f"--inh-caps={caps}"]
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode != 0:
        pytest.skip("root cannot give up its privileges here (setpriv)")
    outcome = finish(start("run", case, "--output", folder, "--overwrite", ranks=2, wrapper=wrapper))
    refused(outcome, f"{folder}/{name}", "Operation not permitted")
    assert os.listdir(folder) == [name]


def test_an_output_folder_that_cannot_be_read_is_found_before_the_run(case, tmp_path):
    folder = tmp_path / "output"
    folder.mkdir()
    folder.chmod(stat.S_IWUSR | stat.S_IXUSR)
    try:
        outcome = finish(start("run", case, "--output", folder, ranks=2, wrapper=without_privilege()))
    finally:
        folder.chmod(stat.S_IRWXU)
    refused(outcome, str(folder), "read and written to", "Permission denied")
    assert not os.listdir(folder)


def test_a_restart_does_not_replace_the_one_that_the_run_begins_with(case, tmp_path):
    """A link that an earlier run left, say, under the name of a restart that is due."""
    run(case, "--output", tmp_path / "first", *sets(checksums="true"))
    first = tmp_path / "first" / "restart_20240906T040000.nc"
    second = tmp_path / "second"
    second.mkdir()
    (second / RESTART).symlink_to(first)
    keys = [f'initial.file="{first}"', 'initial.state="restart"', "time.start=2024-09-06T04:00:00Z"]
    words = [word for key in keys for word in ("--set", key)]
    before = first.read_bytes()
    refused(groundswell("run", case, "--output", second, *words), RESTART, "another name")
    assert first.read_bytes() == before
