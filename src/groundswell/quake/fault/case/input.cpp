#include "groundswell/quake/fault/case/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile/held_memory.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/quake/fault/case/given_slip.hpp"

namespace groundswell::quake {

namespace {

// What a rank's part of the faults needs of grids, or `all` rock.
void load_grids(const FaultOptions& fault, bool all, const tetra::LocalMesh& mesh) {
    gridded::Region region;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        const auto& faces = mesh.cell[cell].boundary;
        if (!all && std::ranges::none_of(faces, tetra::is_fault)) continue;
        for (const tetra::Point& corner : mesh.cell[cell].place) region.add(corner);
    }
    for (const FaultEntry& entry : fault.entries) {
        base::require(
            !all || entry.tags.empty() || !entry.may_stress(), entry.stated_at, "fault.set.tags",
            "given, next to stress",
            "stress of all faults, as [plasticity] has none of its own: that of the rock is theirs");
        if (!entry.grid) continue;
        entry.grid->load(*find_law(fault.law), region);
        base::require(
            !entry.grid->nucleates() || fault.nucleation_duration > 0.0 || entry.nucleation.duration > 0.0,
            fault.stated_at, "fault.nucleation_duration", "not given",
            fmt::format("a duration in s, as {} has a nucleation", entry.grid->file()));
    }
}

}  // namespace

FaultInput make_fault_input(MPI_Comm comm, const FaultOptions& fault, bool of_all_rock,
                            const tetra::LocalMesh& mesh, const std::function<Rupture()>& rupture) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    const parallel::MemoryHolder holder(parallel::MemoryPart::forcing);
    parallel::agree(comm, [&] { load_grids(fault, of_all_rock, mesh); });
    FaultInput input;
    input.law = fault.law;
    input.of_fault = fault.of_fault;
    input.points = fault.points;
    input.pressure = fault.pressure;
    input.scheme = fault.scheme;
    for (std::size_t e = 0; e < fault.episodes.size(); ++e) {
        const NucleationEpisode& of = fault.episodes[e];
        const bool weakens = std::ranges::any_of(fault.entries, [e](const FaultEntry& entry) {
            return entry.episode == e && entry.nucleation_strength;
        });
        input.nucleation.push_back({of.start, of.duration, weakens, of.speed > 0.0});
    }
    input.thermal = fault.thermal;
    input.given = fault.given;
    input.at = [&fault](const FaultSpot& spot) { return fault.at(spot); };
    if (find_law(fault.law)->chooses_series) {
        const std::string& name = fault.rupture.empty() ? fault.stated_at : fault.rupture;
        const auto slip = std::make_shared<const GivenSlip>(comm, fault.slip_rates, rupture, name);
        input.series = slip->series();
        input.at = [&fault, slip](const FaultSpot& spot) {
            FaultPoint point = fault.at(spot);
            slip->set(spot, point);
            return point;
        };
    }
    return input;
}

}  // namespace groundswell::quake
