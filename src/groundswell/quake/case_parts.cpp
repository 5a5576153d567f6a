#include "groundswell/quake/case_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/choice/choice.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/memory.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/quake/device/kernels.hpp"
#include "groundswell/quake/kernel_set.hpp"
#include "groundswell/quake/plasticity/plasticity.hpp"
#include "groundswell/quake/source/rupture/read.hpp"

namespace groundswell::quake {

namespace {

GroundOptions ground_of(const Case& run) {
    return {run.mesh,
            run.projection,
            run.rock,
            run.solver,
            run.time.step,
            run.fault ? &run.fault->plus_side : nullptr,
            run.fault ? find_law(run.fault->law)->cost : 0.0};
}

// Why a cell may not be of anisotropic rock, as what was expected; empty: it may.
std::string want_isotropic(const Case& run, const Domain& domain, std::int32_t cell) {
    if (run.plasticity) return "isotropic rock in a case with the section [plasticity]";
    for (int f = 0; f < 4; ++f) {
        if (run.fault && tetra::is_fault(domain.mesh.cell[cell].boundary[f]))
            return "isotropic rock in the elements at a fault that may break: friction has no form beside "
                   "others";
        const std::int32_t across = domain.mesh.across[cell][f].cell;
        if (across >= 0 && domain.material[across].is_liquid())
            return "isotropic rock in the elements below water: make a group of the mesh of them";
    }
    return {};
}

}  // namespace

Domain domain_of(MPI_Comm comm, const Case& run) {
    Domain domain = make_domain(comm, ground_of(run));
    parallel::agree(comm, [&] {
        for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
            if (!domain.material[cell].is_anisotropic()) continue;
            const std::string expected = want_isotropic(run, domain, cell);
            if (expected.empty()) continue;
            const tetra::Point at = tetra::centre_of(domain.mesh.cell[cell]);
            base::refuse(run.rock.place, "material.rock[]",
                         fmt::format("anisotropic, about {:.6g}, {:.6g}, {:.6g} m", at[0], at[1], at[2]),
                         expected);
        }
    });
    return domain;
}

std::optional<FaultInput> fault_input_of(MPI_Comm comm, const Case& run, const tetra::LocalMesh& mesh) {
    if (!run.fault) return std::nullopt;
    const bool of_all_rock = run.plasticity && !run.plasticity->has_stress();
    FaultInput input = make_fault_input(comm, *run.fault, of_all_rock, mesh, [&run] {
        return read_rupture(run.file, run.projection,
                            {"fault.rupture", run.fault->rupture, "srf", run.fault->rupture_delay});
    });
    input.counts_jump = run.rupture_series && run.rupture_series->of_jump;
    const auto timed = [](const auto& section) {
        return std::ranges::any_of(section.fields,
                                   [](const auto& name) { return find_fault_field(name).of_weakening; });
    };
    input.times_weakening =
        std::ranges::any_of(run.fault_maps, timed) || std::ranges::any_of(run.fault_receivers, timed);
    return input;
}

std::unique_ptr<exec::Device> device_of(MPI_Comm comm, const Case& run) {
    if (!run.on_gpu) return nullptr;
    const parallel::Placement place = parallel::find_placement(comm);
    std::unique_ptr<exec::Device> device;
    parallel::agree(comm, [&] {
        device =
            exec::make_gpu({place.rank_on_host, place.ranks_on_host, run.ranks_of_gpu}, run.launch_graphs);
    });
    return device;
}

template <class Real>
const Kernels<Real>& kernels_of(MPI_Comm comm, const Case& run, const Domain& domain) {
    const int order = run.solver.order, mechanisms = run.rock.mechanisms();
    const auto& kernels = run.on_gpu ? wave_device_kernels<Real>(order, mechanisms).elements
                                     : wave_kernels<Real>(order, mechanisms);
    const BatchLayout& l = kernels.layout;
    const auto lanes = static_cast<std::size_t>(l.lanes);
    std::size_t constants = l.material + 4 * l.face;
    if (std::ranges::any_of(domain.material, &Material::is_anisotropic))
        constants += kernels.of_anisotropic->layout.material + 4 * kernels.of_anisotropic->layout.face;
    const std::size_t yielding = run.plasticity ? Plasticity<Real>::numbers_of_element(order) : 0;
    const std::size_t element =
        sizeof(Real) * ((l.state + l.memory + constants) / lanes + 4 * l.trace + yielding);
    parallel::require_memory(
        comm, static_cast<std::int64_t>(element) * domain.mesh.owned, run.file, "solver.order",
        fmt::format("{} in {} for {} cells", order, run.solver.precision, domain.mesh.global_cells));
    return kernels;
}

template const Kernels<float>& kernels_of<float>(MPI_Comm, const Case&, const Domain&);
template const Kernels<double>& kernels_of<double>(MPI_Comm, const Case&, const Domain&);

}  // namespace groundswell::quake
