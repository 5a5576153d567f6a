"""Settings of the bench on GPUs: each that an MPI library has is there, and those that it lacks say why."""

import dataclasses

import pytest
from made_up_gpus import OWN, Played, library


def test_tools_of_the_libraries_are_read(gpu):
    found = library(gpu).parts
    assert found["ompi_info"] >= {
        "btl smcuda",
        "btl_smcuda_use_cuda_ipc",
        "pml ob1",
        "pml ucx",
        "mpi_preconnect_mpi",
    }
    assert found["ucx_info"] == {
        "UCX_RNDV_THRESH",
        "UCX_RNDV_SCHEME",
        "UCX_MEMTYPE_CACHE",
        "cuda_ipc",
        "gdr_copy",
    }
    assert len(found["mpivars"]) == 3


def test_a_library_that_has_everything_has_every_setting(gpu):
    chosen, left_out = gpu.plan.settings_of(library(gpu))
    names = [setting.name for setting, _ in chosen]
    assert names == OWN + [one.name for one in (*gpu.plan.OPEN_MPI, *gpu.plan.UCX)] and left_out == []
    assert len(set(names)) == len(names) == 18
    for setting, beside in chosen[4:]:
        assert dict(setting.keys)["halo.gpu"] == beside == "mpi"
    variables = {setting.name: dict(setting.variables) for setting, _ in chosen}
    assert variables["UCX, no cuda_ipc"]["UCX_TLS"] == "^cuda_ipc"
    assert variables["UCX, no cuda_ipc"]["OMPI_MCA_pml"] == "ucx"
    chosen, left_out = gpu.plan.settings_of(library(gpu, "MPICH", "ch4:ucx"))
    names = [setting.name for setting, _ in chosen]
    assert names == OWN + [one.name for one in (*gpu.plan.MPICH, *gpu.plan.UCX)] and left_out == []
    assert not any("OMPI" in name for setting, _ in chosen for name, _ in setting.variables)


@pytest.mark.parametrize(
    ("missing", "fewer", "why"),
    [
        ("pml ucx", ["UCX"], "ompi_info knows no pml ucx"),
        ("pml ob1", ["ob1"], "ompi_info knows no pml ob1"),
        ("btl smcuda", ["smcuda"], "ompi_info knows no btl smcuda"),
        (
            "btl_smcuda_use_cuda_ipc",
            ["smcuda, no memory"],
            "ompi_info knows no btl_smcuda_use_cuda_ipc",
        ),
        ("mpi_preconnect_mpi", ["connections"], "ompi_info knows no mpi_preconnect_mpi"),
        ("cuda_ipc", ["UCX, no cuda_ipc"], "ucx_info knows no cuda_ipc"),
        ("gdr_copy", ["UCX, no gdr_copy"], "ucx_info knows no gdr_copy"),
        ("UCX_RNDV_SCHEME", ["UCX, receivers", "UCX, senders"], "ucx_info knows no UCX_RNDV_SCHEME"),
        ("UCX_RNDV_THRESH", ["UCX, asks"], "ucx_info knows no UCX_RNDV_THRESH"),
        ("UCX_MEMTYPE_CACHE", ["UCX, kinds"], "ucx_info knows no UCX_MEMTYPE_CACHE"),
        ("ucx_info", ["UCX, "], "ucx_info, which would tell of"),
    ],
)
def test_a_setting_that_the_library_lacks_is_left_out_and_says_why(gpu, missing, fewer, why):
    chosen, left_out = gpu.plan.settings_of(library(gpu, without=[missing]))
    assert len(chosen) + len(left_out) == 18 and left_out
    every = [setting.name for setting, _ in gpu.plan.settings_of(library(gpu))[0]]
    assert [name for name, _ in left_out] == [name for name in every if name.startswith(tuple(fewer))]
    assert all(why in told and "\n" not in told for _, told in left_out)


def test_a_library_that_does_not_take_memory_of_a_gpu_has_what_is_staged(gpu):
    chosen, left_out = gpu.plan.settings_of(library(gpu, takes=False))
    assert {beside for _, beside in chosen} == {None, "staged"}
    assert "mpi" not in [setting.name for setting, _ in chosen]
    assert [name for name, _ in left_out] == [
        "mpi",
        "smcuda",
        "smcuda, no memory between processes",
        "UCX, no cuda_ipc",
        "UCX, no gdr_copy",
        "UCX, kinds of memory not kept",
    ]
    assert all(why == "Open MPI 4.1 does not take memory of a GPU" for _, why in left_out)


def test_other_libraries_have_groundswells_own_settings(gpu):
    chosen, left_out = gpu.plan.settings_of(library(gpu, "MPICH", "ch4:ofi"))
    assert len(chosen) == len(OWN) + 3 and left_out == [("UCX", "messages of MPICH 4.1 go by ch4:ofi")]
    chosen, left_out = gpu.plan.settings_of(library(gpu, "Another", ""))
    assert [setting.name for setting, _ in chosen] == OWN
    assert left_out[0] == ("Another 4.1", "no settings of this library are known here")


def test_rows_of_settings_stand_beside_their_way_and_a_failing_one_is_left_out(gpu, capsys):
    def rate(case, ranks, keys, variables):
        if keys["halo.gpu"] == "memory":
            raise gpu.evaluation.Failure("no way")
        if keys.get("halo.progress") == "polling" and len(bench.called) > 16:
            raise gpu.evaluation.Failure("not now")
        if "UCX_TLS" in variables:
            return 30.0
        return 20.0 if keys["halo.gpu"] == "mpi" else 10.0

    bench = Played(gpu, dataclasses.replace(gpu.plan.QUICK, runs=2), 4, rate)
    rows, left_out = gpu.evaluate.run_settings(bench, library(gpu, without=["btl smcuda"]))
    by_name = {row["setting"]: row for row in rows}
    assert len(rows) == 14 and all(row["ranks"] == 4 for row in rows)
    assert [row["setting"] for row in rows if row["runs"] != 2 or row["problem"]] == ["polling"]
    assert by_name["polling"]["runs"] == 1 and by_name["polling"]["problem"] == "not now"
    assert by_name["UCX, no cuda_ipc"]["times"] == 1.5 and by_name["UCX, no cuda_ipc"]["beside"] == "mpi"
    assert by_name["thread"]["times"] == 1.0 and by_name["staged"]["times"] is None
    assert {one["setting"]: one["why"] for one in left_out} == {
        "smcuda": "ompi_info knows no btl smcuda",
        "smcuda, no memory between processes": "ompi_info knows no btl smcuda",
        "memory": "no way",
        "memory, graphs": "no way",
    }
    assert "memory fails, and is not run again: no way" in capsys.readouterr().err
    # Each of 4 ranks on 16 cores has one of them for its messages.
    assert {(case, ranks, threads) for case, ranks, threads, *_ in bench.called} == {("rock", 4, 3)}
