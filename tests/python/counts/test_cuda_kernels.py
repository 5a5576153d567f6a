"""nvcc compiles every kernel that has a device form for the GPUs of three generations; none spills registers or ends in a trap."""

import re

import pytest
from cuda_kernels import GENERATIONS, NVCC, PAGE, ROOT, SOURCES, Compiled, class_of, most_registers


def choices():
    """One generation, and all where there is time for them; six orders of rock in two precisions take minutes."""
    assert GENERATIONS == ["80", "90", "100"]
    for source in SOURCES:
        name = "-".join(source.parent.relative_to(ROOT / "src/groundswell").parts)
        yield pytest.param(
            source, ["90"], id=name, marks=[pytest.mark.long] if "quake" in source.parts else []
        )
        yield pytest.param(source, GENERATIONS, id=f"{name}-all", marks=pytest.mark.long)


@pytest.mark.skipif(NVCC is None, reason="nvcc is not there")
@pytest.mark.parametrize(("source", "generations"), list(choices()))
def test_kernels_keep_their_numbers_in_registers(source, generations, tmp_path):
    found = Compiled(source, generations, tmp_path)
    entries = re.findall(r"Compiling entry function '\w*run_on_cuda\w*'", found.words)
    assert len(found.kernels) == len(entries) > 0, found.words
    for generation in generations:
        of_this = [kernel for kernel in found.kernels if kernel.generation == generation]
        assert len(of_this) * len(generations) == len(entries)
    assert len(found.functions) >= len(entries), found.words  # and what the library has of its own
    assert all(spilled == 0 for _, _, spilled in found.functions), found.words
    # CUDA's library brings large angles near zero by an array, which stands on the stack.
    framed = [name for name, stack, _ in found.functions if stack != 0]
    assert all("Yoffe" in name for name in framed), framed
    for kernel in found.kernels:
        assert kernel.registers <= most_registers(kernel), kernel
    # Where a kernel wants to know where a constant of the host lies, nvcc says nothing, and puts an end to the kernel there.
    assert found.texts and not any(re.search(r"\btrap;", text) for text in found.texts)
    page = PAGE.read_text(encoding="utf-8")
    unknown = {name for kernel in found.kernels if f"| `{(name := class_of(kernel.symbol))}` |" not in page}
    assert not unknown, f"not in the table of {PAGE.name}, which cuda_kernels.py makes"
