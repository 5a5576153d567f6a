#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

namespace {

using lanes::Lane, lanes::load, lanes::multiply_add, lanes::multiply_subtract;

}  // namespace

/// Resonant four-wave interaction by the discrete interaction approximation (Hasselmann et al. 1985,
/// doi:10.1175/1520-0485(1985)015<1378:CAPOTN>2.0.CO;2, section 5): every bin (f, θ) exchanges energy with
/// f₊ = (1+λ)f and f₋ = (1-λ)f, on opposite sides of θ at 11.48° and 33.56° for λ = 0.25, and with the mirror
/// image. In shallow water all rates are scaled by four_wave_depth_factor(). Above the last frequency E continues
/// as f⁻⁵, below the first it is 0.
///
/// Because the frequencies form a geometric series, shifts and weights are the same for every bin. Row by row of frequencies:
/// what the rows around f₊ and f₋ hold is mixed; every bin of the row finds what it passes on; that is shared out over the
/// directions on both sides, into a ring of a few rows; and a row of the sum gathers from these, bin beside bin. Each stage
/// works on another row than the next: what was just written is slow to read at another place.
class FourWave : public SourceTerm {
public:
    static constexpr std::string_view hasselmann =
        "Hasselmann et al. 1985, doi:10.1175/1520-0485(1985)015<1378:CAPOTN>2.0.CO;2";
    static constexpr auto constant = Coefficient("four_wave", 2.78e7, 0, 1e9, "",
                                                 "C of the discrete interaction approximation", hasselmann);
    static constexpr auto shape =
        Coefficient("four_wave_lambda", 0.25, 0.05, 0.45, "", "lambda, shape of its quadruplet", hasselmann);
    static constexpr std::array coefficients{constant, shape};

    FourWave(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "four_wave"; }
    Partner partner() const override { return Partner::waves; }
    std::size_t scratch_size() const override;
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    // Rows that stand between copies of their other ends, two of each: one is read while the other is written. For both mirror
    // images: what a bin passes on, and its derivatives by E₊ and E₋.
    enum Framed {
        mixed_plus,
        mixed_minus,
        transfer,
        plus_derivative = transfer + 2,
        minus_derivative = plus_derivative + 2,
        framed_rows = minus_derivative + 2
    };
    // Rows of the ring: the bin's own loss, and what reaches the rows of f₊ and f₋, each with its derivative.
    enum Kept { own, own_rate, gained_plus, plus_rate, gained_minus, minus_rate, kept_rows };

    // The stages, for rows of so many registers (lanes::Count).
    template <class Count>
    void add_rows(const SeaCell& sea, Real scale, SourceSum& sum, Real* memory) const;
    template <class Count>
    void mix(const SeaCell& sea, int row, Real* memory) const;
    template <class Count>
    void mix_rows(const SeaCell& sea, int row, Real first, Real second, Real* result) const;
    template <class Count>
    void interact(const SeaCell& sea, int row, Real scale, Real* memory) const;
    template <class Count>
    void share(int row, Real* memory) const;
    template <class Count>
    void gather(int row, SourceSum& sum, Real* memory) const;
    const Real* spectrum_row(const SeaCell& sea, int row, Real& factor) const {
        const int last = grid_->frequencies - 1;
        factor = row > last ? tail_[row - last] : Real(1);
        if (row < 0) return zero_.data();
        return sea.energy + static_cast<std::ptrdiff_t>(row < last ? row : last) * grid_->lanes;
    }
    // Row `row` of a kind, in the memory that the workspace lends.
    Real* framed(Real* memory, int kind, int row) const {
        return memory + (2 * kind + (row & 1)) * pitch_ + margin_;
    }
    Real* kept(Real* memory, int kind, int row) const {
        return memory + 2 * framed_rows * pitch_ + (kind * ring_ + row % ring_) * grid_->lanes;
    }

    std::shared_ptr<const LaneGrid> grid_;
    int up_, down_;              ///< f₊ lies between rows i + up_ and the next, f₋ from i - down_ upward
    Real up_first_, up_second_;  ///< weights of those two rows
    Real down_first_, down_second_;  ///< the same for f₋
    int plus_shift_, minus_shift_;   ///< angles in whole directions, rounded down
    Real plus_first_, plus_second_;  ///< weights of that direction and the next
    Real minus_first_, minus_second_;
    Real plus_scale_, minus_scale_;  ///< (1+λ)⁻⁴, (1-λ)⁻⁴
    int reach_, margin_, pitch_, ring_;
    int used_;                    ///< directions rounded up to whole registers
    exec::Array<Real> strength_;  ///< [frequencies + down_] C g⁻⁴ f¹¹
    exec::Array<Real> tail_;      ///< [up_ + down_ + 2] ratio⁻⁵ⁿ
    exec::Array<Real> zero_;      ///< [pitch_] an empty row
};

FourWave::FourWave(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)) {
    const LaneGrid& g = *grid_;
    const double lambda = options[shape], r = g.ratio;
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
    const double over_gravity = options[constant] / std::pow(base::gravity, 4);
    for (int i = 0; i < g.frequencies + down_; ++i) {
        strength_[i] = static_cast<Real>(over_gravity * std::pow(g.frequency[0] * std::pow(r, i), 11));
    }
    tail_ = make_lanes(ring_ + 1);
    for (int n = 0; n <= ring_; ++n) tail_[n] = static_cast<Real>(std::pow(r, -5 * n));
    zero_ = make_lanes(pitch_);
}

std::size_t FourWave::scratch_size() const {
    return static_cast<std::size_t>(pitch_) * 2 * framed_rows +
           static_cast<std::size_t>(grid_->lanes) * kept_rows * ring_;
}

// In what follows members are read before the first store: the compiler must think that it changes them.

template <class Count>
void FourWave::mix_rows(const SeaCell& sea, int row, Real first, Real second, Real* mixed) const {
    Real factor_a, factor_b;
    const Real* const a = spectrum_row(sea, row, factor_a);
    const Real* const b = spectrum_row(sea, row + 1, factor_b);
    factor_a *= first;
    factor_b *= second;
    const int registers = Count::of(used_);
    for (int n = 0, j = 0; n < registers; ++n, j += lanes::width)
        lanes::store(mixed + j, multiply_add(factor_a, load(a + j), factor_b * load(b + j)));
    wrap_row(mixed, grid_->directions, margin_);
}

// E₊/(1+λ)⁴ and E₋/(1-λ)⁴ of a row, yet without the weights of two directions each.
template <class Count>
void FourWave::mix(const SeaCell& sea, int row, Real* memory) const {
    mix_rows<Count>(sea, row + up_, up_first_ * plus_scale_, up_second_ * plus_scale_,
                    framed(memory, mixed_plus, row));
    mix_rows<Count>(sea, row - down_, down_first_ * minus_scale_, down_second_ * minus_scale_,
                    framed(memory, mixed_minus, row));
}

template <class Count>
void FourWave::interact(const SeaCell& sea, int row, Real scale, Real* memory) const {
    Real factor;
    const Real* const centre = spectrum_row(sea, row, factor);
    const Real strength = strength_[row] * scale;
    const Real p1 = plus_first_, p2 = plus_second_, m1 = minus_first_, m2 = minus_second_;
    const Real plus_scale = plus_scale_, minus_scale = minus_scale_;
    const int registers = Count::of(used_), directions = grid_->directions, margin = margin_;
    const Real* const plus_row = framed(memory, mixed_plus, row);
    const Real* const minus_row = framed(memory, mixed_minus, row);
    // For each mirror image where f₊ and f₋ lie, and the direction next to that.
    const Real* const plus_near[2] = {plus_row - plus_shift_, plus_row + plus_shift_};
    const Real* const minus_near[2] = {minus_row + minus_shift_, minus_row - minus_shift_};
    Real* const passed[2] = {framed(memory, transfer, row), framed(memory, transfer + 1, row)};
    Real* const to_plus[2] = {framed(memory, plus_derivative, row), framed(memory, plus_derivative + 1, row)};
    Real* const to_minus[2] = {framed(memory, minus_derivative, row),
                               framed(memory, minus_derivative + 1, row)};
    Real* const lost = kept(memory, own, row);
    Real* const lost_rate = kept(memory, own_rate, row);
    for (int n = 0, j = 0; n < registers; ++n, j += lanes::width) {
        const Lane e = factor * load(centre + j);
        const Lane weighted = strength * e;
        const Lane plus_weight = plus_scale * weighted, minus_weight = minus_scale * weighted;
        Lane all{}, rate{};
#pragma GCC unroll 2
        for (int mirror = 0; mirror < 2; ++mirror) {
            const int side = mirror == 0 ? 1 : -1;
            const Real* const at_plus = plus_near[mirror] + j;
            const Real* const at_minus = minus_near[mirror] + j;
            const Lane above = multiply_add(p1, load(at_plus), p2 * load(at_plus - side));
            const Lane below = multiply_add(m1, load(at_minus), m2 * load(at_minus + side));
            // E² (E₊/(1+λ)⁴ + E₋/(1-λ)⁴) - 2 E E₊E₋/(1-λ²)⁴, and its derivatives.
            const Lane sum = e * (above + below);
            const Lane net = multiply_subtract(above + above, below, sum);
            all += net;
            rate += sum + net;
            lanes::store(passed[mirror] + j, net * weighted);
            lanes::store(to_plus[mirror] + j, multiply_subtract(Real(2), below, e) * plus_weight);
            lanes::store(to_minus[mirror] + j, multiply_subtract(Real(2), above, e) * minus_weight);
        }
        lanes::store(lost + j, all * weighted);
        lanes::store(lost_rate + j, rate * strength);
    }
    for (int mirror = 0; mirror < 2; ++mirror)
        for (Real* const framed_row : {passed[mirror], to_plus[mirror], to_minus[mirror]})
            wrap_row(framed_row, directions, margin);
}

// What a row passes on, over the two directions on either side that f₊ and f₋ lie between.
template <class Count>
void FourWave::share(int row, Real* memory) const {
    const int registers = Count::of(used_);
    // A bin gives to j + shift and to j + shift + beyond in the first image, to j - shift and so on in the mirror image.
    const auto spread = [&](int from, int to, int shift, int beyond, Real near, Real far) {
        const Real* const first = framed(memory, from, row) - shift;
        const Real* const second = framed(memory, from + 1, row) + shift;
        Real* const result = kept(memory, to, row);
        for (int n = 0, j = 0; n < registers; ++n, j += lanes::width)
            lanes::store(result + j,
                         multiply_add(near, load(first + j) + load(second + j),
                                      far * (load(first + j - beyond) + load(second + j + beyond))));
    };
    const int plus = -plus_shift_, minus = minus_shift_;
    const Real p1 = plus_first_, p2 = plus_second_, m1 = minus_first_, m2 = minus_second_;
    spread(transfer, gained_plus, plus, -1, p1, p2);
    spread(transfer, gained_minus, minus, 1, m1, m2);
    spread(plus_derivative, plus_rate, plus, -1, p1 * p1, p2 * p2);
    spread(minus_derivative, minus_rate, minus, 1, m1 * m1, m2 * m2);
}

// A row loses what it passes on, and gets its part as f₊ and as f₋ of two rows each.
template <class Count>
void FourWave::gather(int row, SourceSum& sum, Real* memory) const {
    const int registers = Count::of(used_);
    const auto giver = [&](int kind, int from) { return from < 0 ? zero_.data() : kept(memory, kind, from); };
    const auto add = [&](Real* to, int lost, int above, int below, Real up_1, Real up_2, Real down_1,
                         Real down_2) {
        const Real* const own_row = kept(memory, lost, row);
        const Real* const from_up_1 = giver(above, row - up_);
        const Real* const from_up_2 = giver(above, row - up_ - 1);
        const Real* const from_down_1 = giver(below, row + down_);
        const Real* const from_down_2 = giver(below, row + down_ - 1);
        for (int n = 0, j = 0; n < registers; ++n, j += lanes::width) {
            Lane here = multiply_subtract(Real(2), load(own_row + j), load(to + j));
            here = multiply_add(up_1, load(from_up_1 + j), here);
            here = multiply_add(up_2, load(from_up_2 + j), here);
            here = multiply_add(down_1, load(from_down_1 + j), here);
            lanes::store(to + j, multiply_add(down_2, load(from_down_2 + j), here));
        }
    };
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(row) * grid_->lanes;
    const Real u1 = up_first_, u2 = up_second_, d1 = down_first_, d2 = down_second_;
    add(sum.source + start, own, gained_plus, gained_minus, u1, u2, d1, d2);
    add(sum.derivative + start, own_rate, plus_rate, minus_rate, u1 * u1, u2 * u2, d1 * d1, d2 * d2);
}

template <class Count>
void FourWave::add_rows(const SeaCell& sea, Real scale, SourceSum& sum, Real* memory) const {
    const int rows = grid_->frequencies + down_;
    mix<Count>(sea, 0, memory);
    for (int i = 0; i <= rows; ++i) {
        if (i + 1 < rows) mix<Count>(sea, i + 1, memory);
        if (i < rows) interact<Count>(sea, i, scale, memory);
        if (i > 0) share<Count>(i - 1, memory);
        if (i > down_) gather<Count>(i - 1 - down_, sum, memory);
    }
}

void FourWave::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const Real scale = static_cast<Real>(four_wave_depth_factor(sea.mean_wave_number, sea.depth));
    lanes::with_count(
        used_, [&]<class Count>(Count) { add_rows<Count>(sea, scale, sum, workspace.scratch.data()); });
}

SourceTermKind four_wave() {
    return describe<FourWave>("four_wave", {FourWave::coefficients}, 40);
}

}  // namespace groundswell::sea::terms
