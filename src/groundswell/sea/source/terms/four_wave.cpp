#include "groundswell/sea/source/terms/four_wave.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"

namespace groundswell::sea {

namespace {

using lanes::Lane, lanes::multiply_add, lanes::multiply_subtract;

Lane load(const Real* values) {
    return lanes::load<Lane>(values);
}

}  // namespace

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
    used_ = round_up(g.directions, lanes::width);
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
    return static_cast<std::size_t>(pitch_) * 2 * framed_rows +
           static_cast<std::size_t>(grid_->lanes) * kept_rows * ring_;
}

Real* FourWave::framed(SourceWorkspace& workspace, int kind, int row) const {
    return workspace.scratch.data() + (2 * kind + row % 2) * pitch_ + margin_;
}

Real* FourWave::kept(SourceWorkspace& workspace, int kind, int row) const {
    return workspace.scratch.data() + 2 * framed_rows * pitch_ + (kind * ring_ + row % ring_) * grid_->lanes;
}

// A row of the spectrum, of the tail above it, or the empty row below it.
const Real* FourWave::spectrum_row(const SeaCell& sea, int row, Real& factor) const {
    const int last = grid_->frequencies - 1;
    factor = row > last ? tail_[row - last] : Real(1);
    return row < 0 ? zero_.data()
                   : sea.energy + static_cast<std::ptrdiff_t>(std::min(row, last)) * grid_->lanes;
}

void FourWave::mix_rows(const SeaCell& sea, int row, Real first, Real second, Real* mixed) const {
    Real factor_a, factor_b;
    const Real* const a = spectrum_row(sea, row, factor_a);
    const Real* const b = spectrum_row(sea, row + 1, factor_b);
    factor_a *= first;
    factor_b *= second;
    for (int j = 0; j < used_; j += lanes::width)
        lanes::store(mixed + j, multiply_add(factor_a, load(a + j), factor_b * load(b + j)));
    wrap_row(mixed, grid_->directions, margin_);
}

// E₊/(1+λ)⁴ and E₋/(1-λ)⁴ of a row, yet without the weights of two directions each.
void FourWave::mix(const SeaCell& sea, int row, SourceWorkspace& w) const {
    mix_rows(sea, row + up_, up_first_ * plus_scale_, up_second_ * plus_scale_, framed(w, mixed_plus, row));
    mix_rows(sea, row - down_, down_first_ * minus_scale_, down_second_ * minus_scale_,
             framed(w, mixed_minus, row));
}

void FourWave::interact(const SeaCell& sea, int row, Real scale, SourceWorkspace& w) const {
    Real factor;
    const Real* const centre = spectrum_row(sea, row, factor);
    const Real strength = strength_[row] * scale;
    const Real p1 = plus_first_, p2 = plus_second_, m1 = minus_first_, m2 = minus_second_;
    const Real* const plus_row = framed(w, mixed_plus, row);
    const Real* const minus_row = framed(w, mixed_minus, row);
    Real* const rows[2][3] = {
        {framed(w, transfer, row), framed(w, plus_derivative, row), framed(w, minus_derivative, row)},
        {framed(w, transfer + 1, row), framed(w, plus_derivative + 1, row),
         framed(w, minus_derivative + 1, row)}};
    Real* const lost = kept(w, own, row);
    Real* const lost_rate = kept(w, own_rate, row);
    for (int j = 0; j < used_; j += lanes::width) {
        const Lane e = factor * load(centre + j);
        const Lane weighted = strength * e;
        const Lane plus_weight = plus_scale_ * weighted, minus_weight = minus_scale_ * weighted;
        Lane passed_on{}, rate{};
#pragma GCC unroll 2
        for (int mirror = 0; mirror < 2; ++mirror) {
            const int side = mirror == 0 ? 1 : -1;
            const Real* const at_plus = plus_row + j - side * plus_shift_;
            const Real* const at_minus = minus_row + j + side * minus_shift_;
            const Lane above = multiply_add(p1, load(at_plus), p2 * load(at_plus - side));
            const Lane below = multiply_add(m1, load(at_minus), m2 * load(at_minus + side));
            // E² (E₊/(1+λ)⁴ + E₋/(1-λ)⁴) - 2 E E₊E₋/(1-λ²)⁴, and its derivatives.
            const Lane sum = e * (above + below);
            const Lane net = multiply_subtract(above + above, below, sum);
            const Lane passed = net * weighted;
            passed_on += passed;
            rate += sum + net;
            lanes::store(rows[mirror][0] + j, passed);
            lanes::store(rows[mirror][1] + j, multiply_subtract(Real(2), below, e) * plus_weight);
            lanes::store(rows[mirror][2] + j, multiply_subtract(Real(2), above, e) * minus_weight);
        }
        lanes::store(lost + j, passed_on);
        lanes::store(lost_rate + j, rate * strength);
    }
    for (const auto& mirror : rows)
        for (Real* const passed : mirror) wrap_row(passed, grid_->directions, margin_);
}

// What a row passes on, over the two directions on either side that f₊ and f₋ lie between.
void FourWave::share(int row, SourceWorkspace& w) const {
    const auto spread = [&](int from, int to, int shift, int beyond, Real near, Real far) {
        // A bin gives to j + shift (and one further) in the first image, to j - shift in the mirror image.
        const Real* const first = framed(w, from, row) - shift;
        const Real* const second = framed(w, from + 1, row) + shift;
        Real* const result = kept(w, to, row);
        for (int j = 0; j < used_; j += lanes::width)
            lanes::store(result + j,
                         multiply_add(near, load(first + j) + load(second + j),
                                      far * (load(first + j - beyond) + load(second + j + beyond))));
    };
    spread(transfer, gained_plus, -plus_shift_, -1, plus_first_, plus_second_);
    spread(transfer, gained_minus, minus_shift_, 1, minus_first_, minus_second_);
    spread(plus_derivative, plus_rate, -plus_shift_, -1, plus_first_ * plus_first_,
           plus_second_ * plus_second_);
    spread(minus_derivative, minus_rate, minus_shift_, 1, minus_first_ * minus_first_,
           minus_second_ * minus_second_);
}

// A row loses what it passes on, and gets its part as f₊ and as f₋ of two rows each.
void FourWave::gather(int row, SourceSum& sum, SourceWorkspace& w) const {
    const auto giver = [&](int kind, int from) { return from < 0 ? zero_.data() : kept(w, kind, from); };
    const auto add = [&](Real* to, int lost, int above, int below, Real up_first, Real up_second,
                         Real down_first, Real down_second) {
        const Real* const own_row = kept(w, lost, row);
        const Real* const up_1 = giver(above, row - up_);
        const Real* const up_2 = giver(above, row - up_ - 1);
        const Real* const down_1 = giver(below, row + down_);
        const Real* const down_2 = giver(below, row + down_ - 1);
        for (int j = 0; j < used_; j += lanes::width) {
            Lane here = multiply_subtract(Real(2), load(own_row + j), load(to + j));
            here = multiply_add(up_first, load(up_1 + j), here);
            here = multiply_add(up_second, load(up_2 + j), here);
            here = multiply_add(down_first, load(down_1 + j), here);
            lanes::store(to + j, multiply_add(down_second, load(down_2 + j), here));
        }
    };
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * grid_->lanes;
    add(sum.source + start, own, gained_plus, gained_minus, up_first_, up_second_, down_first_, down_second_);
    add(sum.derivative + start, own_rate, plus_rate, minus_rate, up_first_ * up_first_,
        up_second_ * up_second_, down_first_ * down_first_, down_second_ * down_second_);
}

void FourWave::add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const Real scale = static_cast<Real>(depth_factor(sea.mean_wave_number, sea.depth));
    const int rows = grid_->frequencies + down_;
    mix(sea, 0, workspace);
    for (int i = 0; i <= rows; ++i) {
        if (i + 1 < rows) mix(sea, i + 1, workspace);
        if (i < rows) interact(sea, i, scale, workspace);
        if (i > 0) share(i - 1, workspace);
        if (i > down_) gather(i - 1 - down_, sum, workspace);
    }
}

}  // namespace groundswell::sea
