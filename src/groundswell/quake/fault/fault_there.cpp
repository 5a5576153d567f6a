#include <algorithm>
#include <numeric>

#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

FaultParts Fault::parts() {
    FaultParts all{rule_,
                   step(0.0, 0.0),
                   law_.name,
                   lanes_,
                   parameters_,
                   side_values(),
                   counts_jump_,
                   sides_.span(),
                   state_.span(),
                   heat_.span(),
                   first_side_,
                   geometry_.span(),
                   initial_.span(),
                   nucleation_.span(),
                   parameter_.span(),
                   thermal_parameter_.span(),
                   faces_of_,
                   side_of_,
                   own_of_,
                   beyond_of_,
                   {},
                   trace_,
                   turned_,
                   {}};
    for (const FaultPlace& place : places_) all.turn.push_back(place.turn);
    for (const auto& of_block : looked_at_) {
        auto& looked = all.looked.emplace_back();
        for (const LookedAt& at : of_block) {
            for (const LookedFace& face : at.faces) {
                for (int lane = 0; lane < lanes_; ++lane) {
                    if (face.side[lane] < 0) continue;
                    const auto along = [&](int axis) { return face.normal[axis * most_fault_lanes + lane]; };
                    looked.push_back({at.batch,
                                      face.first_lane + lane,
                                      face.face,
                                      face.turn,
                                      face.side[lane],
                                      {along(0), along(1), along(2)}});
                }
            }
        }
    }
    return all;
}

void Fault::bring() const {
    if (elsewhere_ == nullptr) return;
    std::vector<std::int32_t> all(faces_of_.size());
    std::iota(all.begin(), all.end(), 0);
    elsewhere_->bring_states(all);
    if (thermal_) elsewhere_->bring_heat();
}

// States come here in the steps in which somebody sees them.
void Fault::solve_there(const Group& group, const FaultStep& step,
                        std::span<const std::vector<Moment>> moments) {
    const bool observed = std::ranges::any_of(moments, [](const auto& of_one) { return !of_one.empty(); });
    std::vector<std::int32_t> seen;
    std::vector<std::int32_t> probed;  // faces
    std::vector<Moment> wanted;
    for (std::int32_t b = group.begin; b < group.end; ++b) {
        const std::size_t before = probed.size();
        if (const auto probes = probes_.find(b); probes != probes_.end()) {
            for (const Probing& probing : probes->second) {
                wanted.clear();
                probing.probe.moments(step.time, step.time + step.length, wanted);
                if (!wanted.empty()) probed.push_back(probing.probe.face);
            }
        }
        if (observed || probed.size() > before) seen.push_back(b);
    }
    const auto states = static_cast<std::size_t>(kept_states * rule_.points() * lanes_);
    std::vector<double> before(seen.size() * states);
    if (!seen.empty()) elsewhere_->bring_states(seen);
    for (std::size_t i = 0; i < seen.size(); ++i)
        std::copy_n(batch(seen[i]).state, states, before.data() + i * states);
    elsewhere_->solve(group.begin, group.end, step);
    if (seen.empty()) return;
    elsewhere_->bring_states(seen);
    if (observed) {
        // No others: those of another cluster may have come from its ranks, and are not there before its turn.
        std::vector<std::int32_t> sides = sides_of(group, side_of_);
        std::ranges::sort(sides);
        for (std::size_t i = 0, next = 0; i < sides.size(); i = next) {
            next = i + 1;
            while (next < sides.size() && sides[next] <= sides[next - 1] + 1) ++next;
            elsewhere_->bring_sides(sides[i], sides[next - 1] + 1);
        }
    }
    for (const std::int32_t face : probed) {
        for (const std::int32_t side : side_of_[face]) elsewhere_->bring_sides(side, side + 1);
    }
    exec::for_each_cell(0, static_cast<std::int32_t>(seen.size()), [&](std::int32_t i) {
        show(seen[i], step, moments, before.data() + static_cast<std::size_t>(i) * states);
    });
}

}  // namespace groundswell::quake
