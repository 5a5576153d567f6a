#include "groundswell/sea/source/terms/four_wave.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"

namespace groundswell::sea {

FourWave::FourWave(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)) {
    const LaneGrid& g = *grid_;
    const double lambda = options.four_wave_lambda, r = g.ratio;
    const double above = 1.0 + lambda, below = 1.0 - lambda;

    up_ = static_cast<int>(std::floor(std::log(above) / std::log(r) + 1e-9));
    down_ = -static_cast<int>(std::floor(std::log(below) / std::log(r) + 1e-9));
    // Linear in frequency between two rows: the sum of f·weight is exactly (1 ± λ)f, which conserves energy.
    const double up = (above - std::pow(r, up_)) / (std::pow(r, up_ + 1) - std::pow(r, up_));
    const double down = (below - std::pow(r, -down_)) / (std::pow(r, 1 - down_) - std::pow(r, -down_));
    up_first_ = static_cast<Real>(1.0 - up), up_second_ = static_cast<Real>(up);
    down_first_ = static_cast<Real>(1.0 - down), down_second_ = static_cast<Real>(down);

    // 2k = k₊ + k₋ in deep water, |k| ∝ f²: the angles of k₊ and k₋ to k.
    const double cubic = 2.0 * lambda * lambda * lambda;
    const double plus = std::acos((1.0 + 2.0 * lambda + cubic) / (above * above)) / g.direction_width;
    const double minus = std::acos((1.0 - 2.0 * lambda - cubic) / (below * below)) / g.direction_width;
    plus_shift_ = static_cast<int>(plus), minus_shift_ = static_cast<int>(minus);
    plus_second_ = static_cast<Real>(plus - plus_shift_), plus_first_ = Real(1) - plus_second_;
    minus_second_ = static_cast<Real>(minus - minus_shift_), minus_first_ = Real(1) - minus_second_;
    plus_scale_ = static_cast<Real>(std::pow(above, -4));
    minus_scale_ = static_cast<Real>(std::pow(below, -4));

    reach_ = std::max(plus_shift_, minus_shift_) + 1;
    margin_ = circular_margin(reach_);
    pitch_ = circular_pitch(g.lanes, reach_);
    ring_ = up_ + down_ + 2;
    strength_ = make_lanes(g.frequencies + down_);
    const double constant = options.four_wave / std::pow(base::gravity, 4);
    for (int i = 0; i < g.frequencies + down_; ++i) {
        strength_[i] = static_cast<Real>(constant * std::pow(g.frequency[0] * std::pow(r, i), 11));
    }
    tail_ = make_lanes(ring_ + 1);
    for (int n = 0; n <= ring_; ++n) tail_[n] = static_cast<Real>(std::pow(r, -5 * n));
    zero_ = make_lanes(pitch_);
}

double FourWave::depth_factor(double mean_wave_number, double depth) {
    const double x = std::max(0.75 * mean_wave_number * depth, 0.5);
    if (x > 40.0) return 1.0;
    return 1.0 + 5.5 / x * (1.0 - 5.0 / 6.0 * x) * std::exp(-1.25 * x);
}

std::size_t FourWave::scratch_size() const {
    return static_cast<std::size_t>(pitch_) * (2 + ring_ * (2 * kinds_per_mirror + 1));
}

// Slots: mirror·3 + kind, and 6 for the derivative of the bin itself.
Real* FourWave::ring_row(SourceWorkspace& workspace, int slot, int row) const {
    const int place = 2 + slot * ring_ + row % ring_;
    return workspace.scratch.data() + static_cast<std::ptrdiff_t>(place) * pitch_ + margin_;
}

// A row of the spectrum, of the tail above it, or the empty row below it.
const Real* FourWave::spectrum_row(const SeaCell& sea, int row, Real& factor) const {
    const int last = grid_->frequencies - 1;
    factor = row > last ? tail_[row - last] : Real(1);
    return row < 0 ? zero_.data()
                   : sea.energy + static_cast<std::ptrdiff_t>(std::min(row, last)) * grid_->lanes;
}

void FourWave::mix_rows(const SeaCell& sea, int row, Real first, Real second, Real* result) const {
    const LaneGrid& g = *grid_;
    Real factor_a, factor_b;
    const Real* __restrict a = spectrum_row(sea, row, factor_a);
    const Real* __restrict b = spectrum_row(sea, row + 1, factor_b);
    factor_a *= first;
    factor_b *= second;
    Real* __restrict mixed = result;
#pragma omp simd
    for (int j = 0; j < g.lanes; ++j) mixed[j] = factor_a * a[j] + factor_b * b[j];
    wrap_row(result, g.directions, margin_);
}

void FourWave::interact(const SeaCell& sea, int row, Real scale, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    Real* plus_row = workspace.scratch.data() + margin_;
    Real* minus_row = plus_row + pitch_;
    mix_rows(sea, row + up_, up_first_ * plus_scale_, up_second_ * plus_scale_, plus_row);
    mix_rows(sea, row - down_, down_first_ * minus_scale_, down_second_ * minus_scale_, minus_row);
    Real factor;
    const Real* __restrict centre = spectrum_row(sea, row, factor);
    const Real strength = strength_[row] * scale;
    const Real p1 = plus_first_, p2 = plus_second_, m1 = minus_first_, m2 = minus_second_;
    const Real plus_scale = plus_scale_, minus_scale = minus_scale_;
    Real* __restrict own = ring_row(workspace, 2 * kinds_per_mirror, row);

    for (int mirror = 0; mirror < 2; ++mirror) {
        const int side = mirror == 0 ? 1 : -1;
        const Real* plus_near = plus_row - side * plus_shift_;
        const Real* plus_far = plus_near - side;
        const Real* minus_near = minus_row + side * minus_shift_;
        const Real* minus_far = minus_near + side;
        Real* __restrict passed = ring_row(workspace, mirror * kinds_per_mirror + transfer, row);
        Real* __restrict to_plus = ring_row(workspace, mirror * kinds_per_mirror + plus_derivative, row);
        Real* __restrict to_minus = ring_row(workspace, mirror * kinds_per_mirror + minus_derivative, row);
        const Real carry = mirror == 0 ? Real(0) : Real(1);
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            const Real e = factor * centre[j];
            const Real plus = p1 * plus_near[j] + p2 * plus_far[j];     // E₊/(1+λ)⁴
            const Real minus = m1 * minus_near[j] + m2 * minus_far[j];  // E₋/(1-λ)⁴
            // E² (E₊/(1+λ)⁴ + E₋/(1-λ)⁴) - 2 E E₊E₋/(1-λ²)⁴, and its derivatives.
            const Real sum = e * (plus + minus);
            const Real net = sum - Real(2) * plus * minus;
            const Real weighted = strength * e;
            passed[j] = net * weighted;
            own[j] = carry * own[j] + (sum + net) * strength;
            to_plus[j] = (e - Real(2) * minus) * plus_scale * weighted;
            to_minus[j] = (e - Real(2) * plus) * minus_scale * weighted;
        }
        wrap_row(passed, g.directions, margin_);
        wrap_row(to_plus, g.directions, margin_);
        wrap_row(to_minus, g.directions, margin_);
    }
}

void FourWave::gather(int row, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * g.lanes;
    Real* __restrict source = sum.source + start;
    Real* __restrict derivative = sum.derivative + start;
    const Real* __restrict own = ring_row(workspace, 2 * kinds_per_mirror, row);
    const Real* __restrict first_own = ring_row(workspace, transfer, row);
    const Real* __restrict second_own = ring_row(workspace, kinds_per_mirror + transfer, row);
#pragma omp simd
    for (int j = 0; j < g.lanes; ++j) {
        source[j] -= Real(2) * (first_own[j] + second_own[j]);
        derivative[j] -= Real(2) * own[j];
    }

    // This row as f₊ and as f₋ of two rows each; for each of them two directions.
    struct Giver {
        int row, shift;
        Kind kind;
        Real weight, near, far;
    };
    const Giver givers[4] = {
        {row - up_, -plus_shift_, plus_derivative, up_first_, plus_first_, plus_second_},
        {row - up_ - 1, -plus_shift_, plus_derivative, up_second_, plus_first_, plus_second_},
        {row + down_, minus_shift_, minus_derivative, down_first_, minus_first_, minus_second_},
        {row + down_ - 1, minus_shift_, minus_derivative, down_second_, minus_first_, minus_second_}};
    for (const Giver& giver : givers) {
        if (giver.row < 0) continue;
        const Real near = giver.weight * giver.near, far = giver.weight * giver.far;
        const Real near_square = near * near, far_square = far * far;
        const int step = giver.kind == plus_derivative ? -1 : 1;
        // A bin at j gives to j + shift (and one further) in the first image, to j - shift in the mirror
        // image.
        const Real* t1 = ring_row(workspace, transfer, giver.row) - giver.shift;
        const Real* d1 = ring_row(workspace, giver.kind, giver.row) - giver.shift;
        const Real* t2 = ring_row(workspace, kinds_per_mirror + transfer, giver.row) + giver.shift;
        const Real* d2 = ring_row(workspace, kinds_per_mirror + giver.kind, giver.row) + giver.shift;
        const Real *t1_far = t1 - step, *d1_far = d1 - step, *t2_far = t2 + step, *d2_far = d2 + step;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            source[j] += near * (t1[j] + t2[j]) + far * (t1_far[j] + t2_far[j]);
            derivative[j] += near_square * (d1[j] + d2[j]) + far_square * (d1_far[j] + d2_far[j]);
        }
    }
}

void FourWave::add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const Real scale = static_cast<Real>(depth_factor(sea.mean_wave_number, sea.depth));
    const int rows = grid_->frequencies;
    for (int i = 0; i < rows + down_; ++i) {
        interact(sea, i, scale, workspace);
        if (i >= down_) gather(i - down_, sum, workspace);
    }
}

}  // namespace groundswell::sea
