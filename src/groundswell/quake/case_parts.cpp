#include "groundswell/quake/case_parts.hpp"

#include "groundswell/quake/source/rupture/read.hpp"

namespace groundswell::quake {

GroundOptions ground_of(const Case& run) {
    return {run.mesh,
            run.projection,
            run.rock,
            run.solver,
            run.time.step,
            run.fault ? &run.fault->plus_side : nullptr,
            run.fault ? find_law(run.fault->law)->cost : 0.0};
}

std::optional<FaultInput> fault_input_of(MPI_Comm comm, const Case& run, const tetra::LocalMesh& mesh) {
    if (!run.fault) return std::nullopt;
    const bool of_all_rock = run.plasticity && !run.plasticity->has_stress();
    FaultInput input = make_fault_input(comm, *run.fault, of_all_rock, mesh, [&run] {
        return read_rupture(run.file, run.projection,
                            {"fault.rupture", run.fault->rupture, "srf", run.fault->rupture_delay});
    });
    input.counts_jump = run.rupture_series && run.rupture_series->of_jump;
    return input;
}

}  // namespace groundswell::quake
