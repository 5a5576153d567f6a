"""`groundswell mesh make` of the ground: from a request to a file."""

from groundswell import report
from groundswell.errors import refuse
from groundswell.ground import geometry, mesher, survey
from groundswell.ground.gmsh_session import session
from groundswell.ground.sizes import SizeGrid, SizeRule

BYTES_PER_ELEMENT = 1200  # measured with a million: 800


def free_memory():
    """Bytes that the system can give, or None where it does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return 1024 * int(line.split()[1])
    except OSError:
        pass
    return None


def refuse_too_many(request, grid, memory):
    """Refuses what Gmsh would need more than `memory` bytes for; None: nothing is known."""
    elements = grid.elements()
    need = BYTES_PER_ELEMENT * elements
    if memory is None or need <= memory:
        return
    size, place = grid.finest()
    at = ", ".join(f"{value:.0f}" for value in place)
    refuse(
        request.where,
        "size",
        f"about {elements:.3g} elements",
        f"a mesh that fits into {report.bytes_text(memory)} of free memory, about {memory / BYTES_PER_ELEMENT:.2g} "
        f"elements: this one takes {report.bytes_text(need)} to make; its smallest elements, {size:.3g} m, are near "
        f"({at}) m",
    )


def make_mesh(request, output, progress=lambda text: None, memory=free_memory):
    """Makes the mesh of a GroundRequest and writes it to `output`; the survey of it."""
    rule = SizeRule(request)
    grid = SizeGrid(rule, progress)
    refuse_too_many(request, grid, memory())
    with session() as gmsh:
        progress("geometry")
        pieces = geometry.build(gmsh, request)
        geometry.refuse_too_close(gmsh, request, pieces, rule)
        mesher.make(gmsh, grid, request.relief, progress)
        progress("checking")
        found = survey.Found(gmsh, pieces, request)
        survey.check(found, request)
        result = survey.measure(found, request, gmsh.__version__)
        result["expected_cells"] = round(grid.elements())
        mesher.write(gmsh, output, request.projection, progress)
    return result
