#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

template <class Real>
void Fault::look(Elements<Real>& elements, int block) {
    if (elsewhere_ != nullptr) return elsewhere_->look(block);
    if (looked_at_[block].empty()) return;
    const auto threads = static_cast<std::size_t>(exec::threads());
    auto& workspace = std::get<std::vector<exec::Array<Real>>>(workspace_);
    while (workspace.size() < threads) workspace.emplace_back(elements.layout().derivatives);
    const auto& looked = looked_at_[block];
    if (elements.is_elsewhere()) {
        std::vector<std::int32_t> batches;
        for (const LookedAt& at : looked) batches.push_back(at.batch);
        elements.bring(batches);
    }
    const auto lanes_of_field = static_cast<std::size_t>(elements.layout().lanes);
    exec::for_each_cell(0, static_cast<std::int32_t>(looked.size()), [&](std::int32_t i) {
        Real* const derivatives = workspace[exec::thread_index()].data();
        elements.differentiate_batch(looked[i].batch, derivatives);
        for (const LookedFace& face : looked[i].faces) look_at(face, derivatives, lanes_of_field);
    });
}

template <class Real>
void Fault::look_at(const LookedFace& at, const Real* derivatives, std::size_t lanes_of_field) {
    std::array<double*, most_fault_lanes> sides{};
    for (int lane = 0; lane < lanes_; ++lane) {
        if (at.side[lane] >= 0)
            sides[lane] = sides_.data() + static_cast<std::size_t>(at.side[lane]) * side_values();
    }
    std::get<FaultKernels::Look<Real>>(kernels_.look)({rule_.order, derivatives + at.first_lane,
                                                       lanes_of_field, at.normal.data(),
                                                       trace_[at.turn][at.face], sides.data()});
}

template <class Real>
void Fault::solve(Elements<Real>& elements, int cluster, bool crossing, double time, double length) {
    const Group& group = groups_[cluster][crossing];
    const FaultStep step = this->step(time, length);
    std::vector<std::vector<Moment>> moments;
    for (const FaultObserver& observer : observers_) {
        observer.moments(time, time + length, moments.emplace_back());
    }
    for (std::int32_t b = group.begin; b < group.end; ++b)
        solved_ += std::ranges::count_if(faces_of_[b], [](std::int32_t face) { return face >= 0; });
    if (elsewhere_ != nullptr) return solve_there(group, step, moments);
    const bool observed = std::ranges::any_of(moments, [](const auto& of_one) { return !of_one.empty(); });
    if (elements.is_elsewhere()) elements.bring_sides(sides_of(group, own_of_));
    exec::for_each_cell(group.begin, group.end, [&](std::int32_t b) {
        std::array<const double*, most_fault_lanes> plus{}, minus{};
        for (int lane = 0; lane < lanes_; ++lane) {
            int from = lane;
            while (faces_of_[b][from] < 0) --from;
            plus[lane] = side(faces_of_[b][from], 0);
            minus[lane] = side(faces_of_[b][from], 1);
        }
        alignas(64) std::array<double, 3 * most_functions * most_fault_lanes> traction;
        FaultMemory all = batch(b);
        all.plus = plus.data();
        all.minus = minus.data();
        all.traction = traction.data();
        std::array<double, kept_states * most_points * most_fault_lanes> before;
        const auto states = static_cast<std::size_t>(kept_states * rule_.points() * lanes_);
        const bool seen = observed || probes_.contains(b);
        if (seen || times_weakening_) std::copy_n(all.state, states, before.begin());
        kernel_.solve[rule_.order - lowest_order](rule_, step, all);
        write_beyond(elements, b, traction.data());
        if (counts_jump_) add_jump(b, step);
        if (times_weakening_) time_weakening(b, step, before.data());
        if (seen) show(b, step, moments, before.data());
    });
    if (elements.is_elsewhere()) elements.send_sides(sides_of(group, beyond_of_));
}

std::vector<std::int32_t> Fault::sides_of(const Group& group,
                                          const std::vector<std::array<std::int32_t, 2>>& of_faces) const {
    std::vector<std::int32_t> sides;
    for (std::int32_t b = group.begin; b < group.end; ++b) {
        for (const std::int32_t face : faces_of_[b]) {
            if (face < 0) continue;
            for (const std::int32_t side : of_faces[face]) {
                if (side >= 0) sides.push_back(side);
            }
        }
    }
    return sides;
}

// What the waves of both sides do, not what friction lets them: the polynomials of an element are never quite at rest, as friction
// has it, ahead of a front and behind it.
void Fault::add_jump(std::int32_t index, const FaultStep& step) {
    for (const std::int32_t face : faces_of_[index]) {
        if (face < 0) continue;
        const double *const plus = side(face, 0), *const minus = side(face, 1);
        for (int i = 0; i < rule_.order; ++i) {
            std::array<double, 3 * most_functions> jump{};
            double factor = 1.0;
            int row = 0;
            for (int k = 0; k < rule_.order; ++k, factor *= rule_.time[i] * step.length / k) {
                const int functions = face_basis_size(rule_.order - k);
                for (int m = 0; m < functions; ++m, ++row) {
                    for (int c = 0; c < 3; ++c)
                        jump[3 * m + c] += factor * (minus[6 * row + 3 + c] - plus[6 * row + 3 + c]);
                }
            }
            for (int p = 0; p < rule_.points(); ++p) {
                std::array<double, 3> at_point{};
                for (int m = 0; m < rule_.basis; ++m) {
                    for (int c = 0; c < 3; ++c)
                        at_point[c] += rule_.at[p * rule_.basis + m] * jump[3 * m + c];
                }
                state(face, jump_path, p) +=
                    rule_.weight[i] * step.length * std::hypot(at_point[0], at_point[1], at_point[2]);
            }
        }
    }
}

// What elements feel, [basis][6], on their own face.
void Fault::turn_back(int turn, double* felt) const {
    const std::vector<double>& matrix = turned_[3 - turn];
    std::array<double, 6 * most_functions> of_face{};
    for (int m = 0; m < rule_.basis; ++m) {
        for (int n = 0; n < rule_.basis; ++n) {
            for (int i = 0; i < 3; ++i) of_face[6 * m + i] += matrix[m * rule_.basis + n] * felt[6 * n + i];
        }
    }
    std::copy_n(of_face.begin(), 6 * rule_.basis, felt);
}

std::vector<double> Fault::solved_plainly(std::int32_t face, double time, double length) {
    const int points = rule_.points(), lane = lane_of_[face];
    const FaultMemory of_batch = batch(batch_of_[face]);
    const auto own = [&](const double* of_lanes, int count) {
        std::vector<double> values;
        for (int i = 0; of_lanes != nullptr && i < count; ++i) values.push_back(of_lanes[i * lanes_ + lane]);
        return values;
    };
    const FaultFace<double> of_face = geometry(face);
    const double *const plus = side(face, 0), *const minus = side(face, 1);
    const auto initial = own(of_batch.initial, 3 * points),
               nucleation =
                   own(of_batch.nucleation, static_cast<int>(episodes_.size()) * nucleation_values * points);
    const auto parameter = own(of_batch.parameter, parameters_ * points);
    std::vector<double> state = own(of_batch.state, kept_states * points);
    const auto thermal = own(of_batch.thermal, thermal_parameters * points);
    auto heat = own(of_batch.heat, thermal_values * points);
    std::array<double, 3 * most_functions> traction{};
    kernel_.solve_plainly[rule_.order - lowest_order](
        rule_, step(time, length),
        {reinterpret_cast<const double*>(&of_face), &plus, &minus, initial.data(),
         nucleation.empty() ? nullptr : nucleation.data(), parameter.data(), state.data(), traction.data(),
         thermal.data(), heat.empty() ? nullptr : heat.data()});
    return state;
}

// What lies beyond is such that the traction half-way to it is the one that friction leaves, as at a free surface.
template <class Real>
void Fault::write_beyond(Elements<Real>& elements, std::int32_t index, const double* traction) const {
    const int values = 6 * rule_.basis;
    for (int lane = 0; lane < lanes_; ++lane) {
        const std::int32_t face = faces_of_[index][lane];
        if (face < 0) continue;
        std::array<double, 6 * most_functions> felt{};  // and no change of velocities
        for (int m = 0; m < rule_.basis; ++m) {
            for (int i = 0; i < 3; ++i) felt[6 * m + i] = 2.0 * traction[(3 * m + i) * lanes_ + lane];
        }
        if (places_[face].turn > 0) turn_back(places_[face].turn, felt.data());
        for (int s = 0; s < 2; ++s) {
            if (own_of_[face][s] < 0) continue;
            const Real* own = elements.values(own_of_[face][s]);
            Real* beyond = elements.values(beyond_of_[face][s]);
            const double sign = s == 0 ? 1.0 : -1.0;
            for (int i = 0; i < values; ++i)
                beyond[i] = static_cast<Real>(static_cast<double>(own[i]) - sign * felt[i]);
        }
    }
}

template void Fault::look(Elements<float>& elements, int block);
template void Fault::look(Elements<double>& elements, int block);
template void Fault::solve(Elements<float>& elements, int cluster, bool crossing, double time, double length);
template void Fault::solve(Elements<double>& elements, int cluster, bool crossing, double time,
                           double length);
}  // namespace groundswell::quake
