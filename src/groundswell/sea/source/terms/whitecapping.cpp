#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

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

/// Dissipation by breaking in deep water, from the saturation of the spectrum (Ardhuin et al. 2010,
/// doi:10.1175/2010JPO4324.1, section 2):
///   B(f, θ) = k³ cg/(2π) ∫_{θ-Δ}^{θ+Δ} cos²(θ-θ') E(f, θ') dθ',
///   S = C σ E { δ [max(0, max_θ B/B_r - 1)]² + (1-δ) [max(0, B/B_r - 1)]² }, C < 0,
/// and, where asked for, the cumulative term: waves of frequency f are wiped out by breakers of less than
/// half of f that overtake them, at the rate C_cu Σ |c - c'| Λ(k') dk' dθ', Λ dk dθ from √B - √B_r.
class Whitecapping : public SourceTerm {
public:
    static constexpr std::string_view ardhuin = "Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1";
    static constexpr auto strength = Coefficient("whitecapping", -2.2e-5, -1e-3, 0, "",
                                                 "C_ds^sat, saturation-based whitecapping", ardhuin);
    static constexpr auto threshold = Coefficient("saturation_threshold", 9.0e-4, 1e-5, 1, "",
                                                  "B_r, saturation at which waves begin to break", ardhuin);
    static constexpr auto half_angle =
        Coefficient("saturation_half_angle", 80.0, 5, 90, "degree",
                    "half width of the sector over which saturation is summed", ardhuin);
    static constexpr auto isotropy =
        Coefficient("whitecapping_isotropy", 0.3, 0, 1, "",
                    "delta, share of the whitecapping that is the same in all directions", ardhuin);
    static constexpr auto cumulative =
        Coefficient("whitecapping_cumulative", 0.0, -2, 0, "",
                    "C_cu, shorter waves wiped out by longer breakers; 0: none", ardhuin);
    static constexpr auto gap =
        Coefficient("cumulative_gap", 0.0, 0, 5, "",
                    "b: these breakers lie b/(ratio - 1) frequencies or more below; 0: half the frequency",
                    "WAVEWATCH III 7.14, ST4: 0.5");
    static constexpr auto end_weight = Coefficient("cumulative_end_weight", 0.5, 0, 1, "",
                                                   "weight of the first and last of their frequencies",
                                                   "0.5: trapezoidal rule; WAVEWATCH III 7.14, ST4: 1");
    static constexpr std::array coefficients{strength,   threshold, half_angle, isotropy,
                                             cumulative, gap,       end_weight};

    Whitecapping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "whitecapping"; }
    std::size_t scratch_size() const override;
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    void saturate(const SeaCell& sea, SourceWorkspace& workspace) const;
    void add_cumulative(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const;

    std::shared_ptr<const LaneGrid> grid_;
    Real strength_, threshold_, isotropy_, cumulative_;
    Real end_weight_;             ///< of the first and last frequency of breakers in the cumulative sum
    int reach_;                   ///< directions on each side that the sector holds, the last one in part
    exec::Array<Real> weight_;    ///< [reach_ + 1] Δθ cos² of the distance
    exec::Array<Real> distance_;  ///< [lanes] cosine of j directions
    int used_;                    ///< directions rounded up to whole registers
    int frequency_gap_;           ///< breakers are at least this many frequencies below
};

Whitecapping::Whitecapping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)),
      strength_(static_cast<Real>(options[strength])),
      threshold_(static_cast<Real>(options[threshold])),
      isotropy_(static_cast<Real>(options[isotropy])) {
    const LaneGrid& g = *grid_;
    // A direction stands for the sector ±Δθ/2 around it; the outermost on each side counts in part.
    const double width = g.direction_width;
    const double half = options[half_angle] * base::degree;
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
    cumulative_ = static_cast<Real>(options[cumulative] * density * std::log(g.ratio) * width);
    const double rows =
        options[gap] > 0.0 ? options[gap] / (g.ratio - 1.0) : std::log(2.0) / std::log(g.ratio);
    used_ = round_up(g.directions, lanes::width);
    frequency_gap_ = static_cast<int>(std::lround(rows));
    end_weight_ = static_cast<Real>(options[end_weight]);
}

std::size_t Whitecapping::scratch_size() const {
    const LaneGrid& g = *grid_;
    const auto two_rows = 2 * static_cast<std::size_t>(circular_pitch(g.lanes, reach_));
    if (cumulative_ == Real(0)) return two_rows;
    const std::size_t all_rows =
        static_cast<std::size_t>(g.frequencies) * circular_pitch(g.lanes, g.directions / 2);
    return std::max(all_rows + 2 * g.lanes, two_rows);
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

void Whitecapping::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
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
    Real* felled = workspace.column_b.data();
    for (int m = 0; m < breakers; ++m) {
        felled[m] =
            workspace.column_a[m] > threshold_ ? cumulative_ * g.sigma[m] / sea.group_speed[m] : Real(0);
        if (felled[m] == Real(0)) continue;
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
            if (felled[m] == Real(0)) continue;
            const Real share = last >= 2 && (m == 0 || m == last) ? end_weight_ : Real(1);
            const Real other = Real(1) / sea.inverse_phase_speed[m];
            const Real* __restrict cosine = distance_.data();
            const Real weight = share * felled[m];
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

SourceTermKind whitecapping() {
    return describe<Whitecapping>("whitecapping", {Whitecapping::coefficients}, 30);
}

}  // namespace groundswell::sea::terms
