#include "groundswell/sea/source/terms/whitecapping.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea {

namespace {

using lanes::Lane, lanes::load;

// Σ_d weight[|d|] row[d], |d| ≤ reach, for a register of places.
Lane convolve(int reach, const Real* weight, const Real* row) {
    Lane sum = weight[0] * load(row), other{};
    int d = 1;
    for (; d + 1 <= reach; d += 2) {
        sum = lanes::multiply_add(weight[d], load(row - d) + load(row + d), sum);
        other = lanes::multiply_add(weight[d + 1], load(row - d - 1) + load(row + d + 1), other);
    }
    if (d <= reach) sum = lanes::multiply_add(weight[d], load(row - d) + load(row + d), sum);
    return sum + other;
}

}  // namespace

Whitecapping::Whitecapping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)),
      strength_(static_cast<Real>(options.whitecapping)),
      threshold_(static_cast<Real>(options.saturation_threshold)),
      isotropy_(static_cast<Real>(options.whitecapping_isotropy)) {
    const LaneGrid& g = *grid_;
    // A direction stands for the sector ±Δθ/2 around it; the outermost on each side counts in part.
    const double width = g.direction_width;
    const double half = options.saturation_half_angle * base::degree;
    reach_ = std::min(static_cast<int>(std::lround(half / width)), g.directions / 2 - 1);
    weight_ = make_lanes(reach_ + 1);
    for (int d = 0; d <= reach_; ++d) {
        const double share = d < reach_ || d == 0 ? width : std::clamp(half - (d - 0.5) * width, 0.0, width);
        weight_[d] = static_cast<Real>(share * std::pow(std::cos(d * width), 2));
    }
    distance_ = make_lanes(g.directions);
    for (int j = 0; j < g.directions; ++j) distance_[j] = static_cast<Real>(std::cos(j * width));
    // Λ = 28.16/(2π²) (√B - √B_r)² /k dk dθ: breaking probability of Banner et al. (2000), crest
    // length density 1/(2π²) (Ardhuin et al. 2010), as in WAVEWATCH III; ecWAM has a quarter of it.
    const double density = 28.16 / (2.0 * base::pi * base::pi);
    cumulative_ = static_cast<Real>(options.whitecapping_cumulative * density * std::log(g.ratio) * width);
    const double rows = options.cumulative_gap > 0.0 ? options.cumulative_gap / (g.ratio - 1.0)
                                                     : std::log(2.0) / std::log(g.ratio);
    used_ = round_up(g.directions, lanes::width);
    frequency_gap_ = static_cast<int>(std::lround(rows));
    end_weight_ = static_cast<Real>(options.cumulative_end_weight);
}

std::size_t Whitecapping::scratch_size() const {
    const LaneGrid& g = *grid_;
    const std::size_t cumulative =
        static_cast<std::size_t>(g.frequencies) * circular_pitch(g.lanes, g.directions / 2);
    return cumulative_ != Real(0) ? std::max(cumulative + 2 * g.lanes,
                                             2 * static_cast<std::size_t>(circular_pitch(g.lanes, reach_)))
                                  : 2 * static_cast<std::size_t>(circular_pitch(g.lanes, reach_));
}

void Whitecapping::saturate(const SeaCell& sea, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    const int margin = circular_margin(reach_);
    // Framed one row ahead: what was just written is slow to read at another place.
    Real* rows[2] = {workspace.scratch.data() + margin,
                     workspace.scratch.data() + circular_pitch(g.lanes, reach_) + margin};
    const auto frame = [&](int i, Real* row) {
        const Real* const energy = sea.energy + static_cast<std::ptrdiff_t>(i) * g.lanes;
        for (int j = 0; j < used_; j += lanes::width) lanes::store(row + j, load(energy + j));
        wrap_row(row, g.directions, margin);
    };
    frame(0, rows[0]);
    for (int i = 0; i < g.frequencies; ++i) {
        if (i + 1 < g.frequencies) frame(i + 1, rows[(i + 1) % 2]);
        const Real k = sea.wave_number[i];
        const Real scale = k * k * k * sea.group_speed[i] * static_cast<Real>(1.0 / base::two_pi);
        Real* const saturation = workspace.saturation.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
        Lane most{};
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane value =
                lanes::within(j, g.directions, scale * convolve(reach_, weight_.data(), rows[i % 2] + j));
            lanes::store(saturation + j, value);
            most = lanes::maximum(value, most);
        }
        workspace.column_a[i] = lanes::largest(most);
    }
}

void Whitecapping::add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    saturate(sea, workspace);
    const Real inverse = Real(1) / threshold_;
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real above = workspace.column_a[i] * inverse - Real(1);
        if (above <= Real(0)) continue;  // nothing breaks in any direction
        const Real isotropic = strength_ * g.sigma[i] * isotropy_ * above * above;
        const Real directional = strength_ * g.sigma[i] * (Real(1) - isotropy_);
        const Real* const energy = sea.energy + start;
        const Real* const saturation = workspace.saturation.data() + start;
        Real* const source = sum.source + start;
        Real* const derivative = sum.derivative + start;
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane excess =
                lanes::multiply_add(inverse, load(saturation + j), lanes::broadcast(Real(-1)));
            const Lane bounded = lanes::positive_part(excess);
            const Lane rate =
                lanes::multiply_add(directional * bounded, bounded, lanes::broadcast(isotropic));
            lanes::store(source + j, lanes::multiply_add(rate, load(energy + j), load(source + j)));
            lanes::store(derivative + j, load(derivative + j) + rate);
        }
    }
    if (cumulative_ != Real(0)) add_cumulative(sea, sum, workspace);
}

void Whitecapping::add_cumulative(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    const int half = g.directions / 2;
    const int margin = circular_margin(half), pitch = circular_pitch(g.lanes, half);
    const int breakers = std::max(g.frequencies - frequency_gap_, 0);
    const Real root_threshold = std::sqrt(threshold_);
    // (√B - √B_r)², with the factors of a breaker's frequency folded in; 0 rows are skipped below.
    Real* strength = workspace.column_b.data();
    for (int m = 0; m < breakers; ++m) {
        strength[m] =
            workspace.column_a[m] > threshold_ ? cumulative_ * g.sigma[m] / sea.group_speed[m] : Real(0);
        if (strength[m] == Real(0)) continue;
        const Real* __restrict saturation =
            workspace.saturation.data() + static_cast<std::ptrdiff_t>(m) * g.lanes;
        Real* row = workspace.scratch.data() + margin + static_cast<std::ptrdiff_t>(m) * pitch;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            const Real excess = std::sqrt(saturation[j]) - root_threshold;
            const Real bounded = excess > Real(0) ? excess : Real(0);
            row[j] = bounded * bounded;
        }
        wrap_row(row, g.directions, margin);
    }
    Real* speed = workspace.scratch.data() + static_cast<std::ptrdiff_t>(g.frequencies) * pitch;
    Real* rate = speed + g.lanes;
    for (int i = frequency_gap_; i < g.frequencies; ++i) {
        const Real c = Real(1) / sea.inverse_phase_speed[i];
        for (int j = 0; j < g.lanes; ++j) rate[j] = Real(0);
        const int last = i - frequency_gap_;
        for (int m = 0; m <= last; ++m) {
            if (strength[m] == Real(0)) continue;
            const Real share = last >= 2 && (m == 0 || m == last) ? end_weight_ : Real(1);
            const Real other = Real(1) / sea.inverse_phase_speed[m];
            const Real* __restrict cosine = distance_.data();
            const Real weight = share * strength[m];
#pragma omp simd
            for (int j = 0; j < g.lanes; ++j) {
                const Real square = c * c + other * other - Real(2) * c * other * cosine[j];
                speed[j] = weight * std::sqrt(square > Real(0) ? square : Real(0));
            }
            const Real* row = workspace.scratch.data() + margin + static_cast<std::ptrdiff_t>(m) * pitch;
            // With an even number of directions the opposite one is at both ends of the sum: half for each.
            if (g.directions % 2 == 0) speed[half] *= Real(0.5);
            for (int j = 0; j < used_; j += lanes::width)
                lanes::store(rate + j, load(rate + j) + convolve(half, speed, row + j));
        }
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* __restrict energy = sea.energy + start;
        Real* __restrict source = sum.source + start;
        Real* __restrict derivative = sum.derivative + start;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            source[j] += rate[j] * energy[j];
            derivative[j] += rate[j];
        }
    }
}

namespace terms {
SourceTermKind whitecapping() {
    return {"whitecapping", &make<Whitecapping>, 30};
}
}  // namespace terms

}  // namespace groundswell::sea
