#include "groundswell/quake/fault/saved_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "groundswell/mesh/places_among_all.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::quake {

SavedFault::SavedFault(MPI_Comm comm, const tetra::LocalMesh& mesh, std::span<const FaultPlace> places)
    : comm_(comm), places_(places) {
    for (std::size_t f = 0; f < places.size(); ++f) {
        if (places[f].mine) faces_.push_back(static_cast<std::int32_t>(f));
    }
    std::ranges::sort(faces_, {}, [&](std::int32_t f) { return places[f].id; });
    for (const std::int32_t f : faces_) {
        const std::int32_t minus = places[f].cell[1];
        other_rank_.push_back(minus < mesh.owned ? -1 : mesh.owner[minus]);
    }
    std::vector<std::int64_t> ids;
    for (const std::int32_t f : faces_) ids.push_back(places[f].id);
    const auto rows = mesh::places_among_all(comm, 4 * mesh.global_cells, ids);
    rows_ = std::make_unique<const output::Decomposition>(
        comm, parallel::sum(comm, std::int64_t{std::ssize(faces_)}), rows);
}

void SavedFault::add_to(simulation::State& state, const Fault& fault, const std::string& law) {
    const int points = fault.rule().points();
    fault.bring();
    values_.clear();
    heat_.clear();
    for (const std::int32_t f : faces_) {
        for (int which = 0; which < fault.heat_values(); ++which) {
            for (int p = 0; p < points; ++p) heat_.push_back(fault.heat(f, which, p));
        }
        for (int which = 0; which < kept_states; ++which) {
            for (int p = 0; p < points; ++p) values_.push_back(fault.state(f, which, p));
        }
    }
    state.dimensions.push_back(
        {"fault_face", rows_->rows(), fmt::format("{} faces of faults in the mesh", rows_->rows())});
    state.dimensions.push_back({"fault_value", kept_states, "of a point of a fault"});
    state.dimensions.push_back({"fault_point", points, "solver.order"});
    state.marks.push_back({output::Attribute("fault_law", law), fmt::format("fault.law = {}", law)});
    state.add<double>({"fault",
                       {},
                       {"fault_face", "fault_value", "fault_point"},
                       {{"long_name", "slip, slip rate, friction and traction of faults, in SI units"}}},
                      *rows_, values_.data(), static_cast<std::int64_t>(kept_states) * points);
    if (fault.heat_values() == 0) return;
    state.dimensions.push_back({"fault_heat_value", fault.heat_values(), "fault.thermal_pressurisation"});
    state.add<double>({"fault_heat",
                       {},
                       {"fault_face", "fault_heat_value", "fault_point"},
                       {{"long_name", "waves of temperature and pressure across faults, in SI units"}}},
                      *rows_, heat_.data(), static_cast<std::int64_t>(fault.heat_values()) * points);
}

void SavedFault::restore(Fault& fault) {
    const int points = fault.rule().points();
    const auto states = static_cast<std::size_t>(kept_states * points);
    const auto heat = static_cast<std::size_t>(fault.heat_values() * points), count = states + heat;
    const auto give = [&](std::int32_t f, const double* from) {
        for (int which = 0; which < fault.heat_values(); ++which) {
            for (int p = 0; p < points; ++p) fault.heat(f, which, p) = from[states + which * points + p];
        }
        for (int which = 0; which < kept_states; ++which) {
            for (int p = 0; p < points; ++p) fault.state(f, which, p) = from[which * points + p];
        }
    };
    // An id, and what stands there.
    std::map<int, std::vector<double>> for_rank;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        std::vector<double> values(values_.begin() + i * states, values_.begin() + (i + 1) * states);
        values.insert(values.end(), heat_.begin() + i * heat, heat_.begin() + (i + 1) * heat);
        give(faces_[i], values.data());
        if (other_rank_[i] < 0) continue;
        auto& parcel = for_rank[other_rank_[i]];
        parcel.push_back(static_cast<double>(places_[faces_[i]].id));
        parcel.insert(parcel.end(), values.begin(), values.end());
    }
    std::vector<parallel::Parcel> outgoing;
    for (const auto& [rank, values] : for_rank)
        outgoing.push_back(parallel::pack_parcel<double>(rank, values));
    std::map<std::int64_t, std::int32_t> other;
    for (std::size_t f = 0; f < places_.size(); ++f) {
        if (!places_[f].mine) other[places_[f].id] = static_cast<std::int32_t>(f);
    }
    parallel::SparseExchange exchange(comm_);
    for (const auto& parcel : exchange(outgoing)) {
        const auto values = parallel::unpack_parcel<double>(parcel);
        for (std::size_t i = 0; i < values.size(); i += count + 1)
            give(other.at(static_cast<std::int64_t>(values[i])), values.data() + i + 1);
    }
}

}  // namespace groundswell::quake
