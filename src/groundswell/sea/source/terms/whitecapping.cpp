#include "groundswell/sea/source/terms/whitecapping.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"

namespace groundswell::sea {

namespace {

// result[j] = Σ_d weight[|d|] row[j + d], |d| ≤ reach: one sweep over the lanes for each distance.
void convolve(int lanes, int reach, const Real* __restrict weight, const Real* __restrict row,
              Real* __restrict result) {
    const Real centre = weight[0];
#pragma omp simd
    for (int j = 0; j < lanes; ++j) result[j] = centre * row[j];
    for (int d = 1; d <= reach; ++d) {
        const Real here = weight[d];
#pragma omp simd
        for (int j = 0; j < lanes; ++j) result[j] += here * (row[j - d] + row[j + d]);
    }
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
    frequency_gap_ = static_cast<int>(std::lround(rows));
    end_weight_ = static_cast<Real>(options.cumulative_end_weight);
}

std::size_t Whitecapping::scratch_size() const {
    const LaneGrid& g = *grid_;
    const std::size_t cumulative =
        static_cast<std::size_t>(g.frequencies) * circular_pitch(g.lanes, g.directions / 2);
    return cumulative_ != Real(0) ? cumulative + 3 * g.lanes
                                  : static_cast<std::size_t>(circular_pitch(g.lanes, reach_));
}

void Whitecapping::saturate(const SeaCell& sea, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    Real* row = workspace.scratch.data() + circular_margin(reach_);
    Real* largest = workspace.column_a.data();
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* __restrict energy = sea.energy + start;
        for (int j = 0; j < g.lanes; ++j) row[j] = energy[j];
        wrap_row(row, g.directions, circular_margin(reach_));
        const Real k = sea.wave_number[i];
        const Real scale = k * k * k * sea.group_speed[i] * static_cast<Real>(1.0 / base::two_pi);
        Real* __restrict saturation = workspace.saturation.data() + start;
        convolve(g.lanes, reach_, weight_.data(), row, saturation);
        Real most = 0;
#pragma omp simd reduction(max : most)
        for (int j = 0; j < g.lanes; ++j) {
            const Real value = j < g.directions ? saturation[j] * scale : Real(0);
            saturation[j] = value;
            most = most > value ? most : value;
        }
        largest[i] = most;
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
        const Real* __restrict energy = sea.energy + start;
        const Real* __restrict saturation = workspace.saturation.data() + start;
        Real* __restrict source = sum.source + start;
        Real* __restrict derivative = sum.derivative + start;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            const Real excess = saturation[j] * inverse - Real(1);
            const Real bounded = excess > Real(0) ? excess : Real(0);
            const Real rate = isotropic + directional * bounded * bounded;
            source[j] += rate * energy[j];
            derivative[j] += rate;
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
    Real* total = rate + g.lanes;
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
            convolve(g.lanes, half, speed, row, total);
#pragma omp simd
            for (int j = 0; j < g.lanes; ++j) rate[j] += total[j];
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

}  // namespace groundswell::sea
