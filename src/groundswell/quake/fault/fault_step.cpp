#include <algorithm>
#include <type_traits>

#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

namespace {

// As many of a batch's lanes as a pack of double has, from one on.
template <class Real>
FaultPack lanes_from(const Real* values) {
    if constexpr (std::is_same_v<Real, double>) {
        return *reinterpret_cast<const FaultPack*>(values);
    } else {
        using Narrow [[gnu::vector_size(sizeof(Real) * native_lanes<double>)]] = Real;
        return __builtin_convertvector(*reinterpret_cast<const Narrow*>(values), FaultPack);
    }
}

}  // namespace

template <class Real>
void Fault<Real>::look(Elements<Real>& elements, int block) {
    if (looked_at_[block].empty()) return;
    const auto threads = static_cast<std::size_t>(exec::threads());
    while (workspace_.size() < threads) workspace_.emplace_back(elements.layout().derivatives);
    const auto& looked = looked_at_[block];
    const auto lanes_of_field = static_cast<std::size_t>(elements.layout().lanes);
    exec::for_each_cell(0, static_cast<std::int32_t>(looked.size()), [&](std::int32_t i) {
        Real* const derivatives = workspace_[exec::thread_index()].data();
        elements.differentiate_batch(looked[i].batch, derivatives);
        for (const LookedFace& face : looked[i].faces) look_at(face, derivatives, lanes_of_field);
    });
}

template <class Real>
void Fault<Real>::look_at(const LookedFace& at, const Real* derivatives, std::size_t lanes_of_field) {
    constexpr int stress[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    derivatives += at.first_lane;
    Value traces[6 * most_rows + lanes];
    Value* to = traces;
    for (int k = 0; k < rule_.order; ++k) {
        const int basis = basis_size(rule_.order - k), rows = face_basis_size(rule_.order - k);
        Value values[basis_size(highest_order)][6];
        for (int b = 0; b < basis; ++b, derivatives += 9 * lanes_of_field) {
            for (int i = 0; i < 3; ++i) {
                values[b][i] = Value{};
                for (int j = 0; j < 3; ++j)
                    values[b][i] += at.normal[j] * lanes_from(derivatives + stress[i][j] * lanes_of_field);
                values[b][3 + i] = lanes_from(derivatives + (6 + i) * lanes_of_field);
            }
        }
        std::fill_n(to, 6 * rows, Value{});
        for (const Entry& entry : trace_[at.turn][at.face]) {
            if (entry.row >= rows) break;
            if (entry.column >= basis) continue;
            for (int i = 0; i < 6; ++i) to[6 * entry.row + i] += entry.value * values[entry.column][i];
        }
        to += 6 * rows;
    }
    std::fill_n(to, side_values() - 6 * FaultRule::rows(rule_.order), Value{});
    double* sides[lanes];
    for (int lane = 0; lane < lanes; ++lane)
        sides[lane] = at.side[lane] < 0
                          ? nullptr
                          : sides_.data() + static_cast<std::size_t>(at.side[lane]) * side_values();
    scatter<double, lanes>(traces, side_values(), sides);
}

template <class Real>
void Fault<Real>::solve(Elements<Real>& elements, int cluster, bool crossing, double time, double length) {
    const Group& group = groups_[cluster][crossing];
    const FaultStep step{time, length, of_fault_.data(), nucleation_duration_, smoothing_.data(), scheme_};
    const int values = side_values();
    std::vector<std::vector<Moment>> moments;
    for (const FaultObserver& observer : observers_) {
        observer.moments(time, time + length, moments.emplace_back());
    }
    const bool observed = std::ranges::any_of(moments, [](const auto& of_one) { return !of_one.empty(); });
    exec::for_each_cell(group.begin, group.end, [&](std::int32_t b) {
        Value plus[6 * most_rows + lanes], minus[6 * most_rows + lanes], traction[3 * most_functions];
        const double *of_plus[lanes], *of_minus[lanes];
        for (int lane = 0; lane < lanes; ++lane) {
            int from = lane;
            while (faces_of_[b][from] < 0) --from;
            const auto& side = side_of_[faces_of_[b][from]];
            of_plus[lane] = sides_.data() + static_cast<std::size_t>(side[0]) * values;
            of_minus[lane] = sides_.data() + static_cast<std::size_t>(side[1]) * values;
        }
        gather<double, lanes>(of_plus, values, plus);
        gather<double, lanes>(of_minus, values, minus);
        FaultBatch<Value> all = batch(b);
        all.plus = plus;
        all.minus = minus;
        all.traction = traction;
        std::array<Value, fault_states * most_points> before;
        const auto states = static_cast<std::size_t>(fault_states * rule_.points());
        const bool seen = observed || probes_.contains(b);
        if (seen) std::copy_n(all.state, states, before.begin());
        kernel_.solve[rule_.order - lowest_order](rule_, step, all);
        write_beyond(elements, b, traction);
        if (seen) show(b, step, all, moments, before.data());
    });
    for (std::int32_t b = group.begin; b < group.end; ++b)
        solved_ += std::ranges::count_if(faces_of_[b], [](std::int32_t face) { return face >= 0; });
}

// What elements feel, [basis][6], on their own face.
template <class Real>
void Fault<Real>::turn_back(int turn, double* felt) const {
    const std::vector<double>& matrix = turned_[3 - turn];
    std::array<double, 6 * most_functions> of_face{};
    for (int m = 0; m < rule_.basis; ++m) {
        for (int n = 0; n < rule_.basis; ++n) {
            for (int i = 0; i < 3; ++i) of_face[6 * m + i] += matrix[m * rule_.basis + n] * felt[6 * n + i];
        }
    }
    std::copy_n(of_face.begin(), 6 * rule_.basis, felt);
}

template <class Real>
std::vector<double> Fault<Real>::solved_plainly(std::int32_t face, double time, double length) {
    const int points = rule_.points(), lane = lane_of_[face];
    const FaultBatch<Value> of_batch = batch(batch_of_[face]);
    const auto own = [&](const Value* pack, int count) {
        std::vector<double> values;
        for (int i = 0; pack != nullptr && i < count; ++i) values.push_back(pack[i][lane]);
        return values;
    };
    const auto geometry =
        own(reinterpret_cast<const Value*>(of_batch.face), sizeof(FaultFace<double>) / sizeof(double));
    const auto initial = own(of_batch.initial, 3 * points), nucleation = own(of_batch.nucleation, 3 * points);
    const auto parameter = own(of_batch.parameter, parameters_ * points);
    std::vector<double> state = own(of_batch.state, kept_states * points);
    std::array<double, 3 * most_functions> traction{};
    const FaultStep step{time, length, of_fault_.data(), nucleation_duration_, smoothing_.data(), scheme_};
    kernel_.solve_plainly[rule_.order - lowest_order](
        rule_, step,
        {reinterpret_cast<const FaultFace<double>*>(geometry.data()), side(face, 0), side(face, 1),
         initial.data(), nucleation.empty() ? nullptr : nucleation.data(), parameter.data(), state.data(),
         traction.data()});
    return state;
}

// What lies beyond is such that the traction half-way to it is the one that friction leaves, as at a free surface.
template <class Real>
void Fault<Real>::write_beyond(Elements<Real>& elements, std::int32_t index, const Value* traction) const {
    constexpr int most = (6 * most_functions + lanes - 1) / lanes * lanes;
    Value twice[most] = {};  // and no change of velocities
    for (int m = 0; m < rule_.basis; ++m) {
        for (int i = 0; i < 3; ++i) twice[6 * m + i] = 2.0 * traction[3 * m + i];
    }
    const int values = 6 * rule_.basis;
    alignas(64) double felt[lanes][most];
    double* to[lanes];
    for (int lane = 0; lane < lanes; ++lane) to[lane] = felt[lane];
    scatter<double, lanes>(twice, (values + lanes - 1) / lanes * lanes, to);
    for (int lane = 0; lane < lanes; ++lane) {
        const std::int32_t face = faces_of_[index][lane];
        if (face >= 0 && places_[face].turn > 0) turn_back(places_[face].turn, felt[lane]);
        for (int s = 0; s < 2 && face >= 0; ++s) {
            if (own_of_[face][s] < 0) continue;
            const Real* own = elements.values(own_of_[face][s]);
            Real* beyond = elements.values(beyond_of_[face][s]);
            const double sign = s == 0 ? 1.0 : -1.0;
            for (int i = 0; i < values; ++i)
                beyond[i] = static_cast<Real>(static_cast<double>(own[i]) - sign * felt[lane][i]);
        }
    }
}

template void Fault<float>::look(Elements<float>& elements, int block);
template void Fault<double>::look(Elements<double>& elements, int block);
template std::vector<double> Fault<float>::solved_plainly(std::int32_t face, double time, double length);
template std::vector<double> Fault<double>::solved_plainly(std::int32_t face, double time, double length);
template void Fault<float>::solve(Elements<float>& elements, int cluster, bool crossing, double time,
                                  double length);
template void Fault<double>::solve(Elements<double>& elements, int cluster, bool crossing, double time,
                                   double length);
}  // namespace groundswell::quake
