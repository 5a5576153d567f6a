#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

using lanes::Lane, lanes::load;

/// Waves of shallow water that give energy to those of twice their frequency, in each direction by itself: the lumped triad
/// approximation (Eldeberky 1996, dissertation, Delft University of Technology, as in SWAN, its technical documentation, section
/// on triads):
///   S⁺(f) = max(0, α c cg J² |sin β| [E²(f/2) - 2 E(f/2) E(f)]), S⁻(f) = -2 S⁺(2f),
/// J = k²(g d + 2c²)/(K d (g d + 2/15 g d³ K² - 2/5 σ² d²)) with k and c at f/2, K, c and cg at f, σ = 2πf (Madsen & Sørensen 1993,
/// Ocean Engineering 20, 359-388); β = -π/2 + π/2 tanh(0.2/Ur), Ur = g Hs/(8√2) (T/(π d))². Not where Ur is below a threshold, nor above a
/// multiple of the mean frequency. E(f/2) is linear between two frequencies, and what they lose is shared out likewise, so that
/// energy is conserved.
class Triads : public SourceTerm {
public:
    static constexpr std::string_view swan = "Eldeberky 1996; values of SWAN and of WAVEWATCH III 7.14, TR1";
    static constexpr auto strength =
        Coefficient("triads", 0.05, 0, 10, "", "alpha, strength of the triad interaction", swan);
    static constexpr auto highest =
        Coefficient("triads_mean_frequency", 2.5, 1, 10, "",
                    "triads up to this multiple of the mean frequency m1/m0", swan);
    static constexpr auto least = Coefficient("triads_ursell", 0.01, 0, 10, "",
                                              "triads only where the Ursell number is above this", swan);
    static constexpr std::array coefficients{strength, highest, least};

    Triads(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "triads"; }
    Partner partner() const override { return Partner::waves; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double strength_, highest_, least_;
    int down_;             ///< f/2 lies between rows i - down_ and the next
    Real first_, second_;  ///< weights of those two rows
    int used_;             ///< directions rounded up to whole registers
};

Triads::Triads(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)),
      strength_(options[strength]),
      highest_(options[highest]),
      least_(options[least]),
      used_(round_up(grid_->directions, lanes::width)) {
    const double r = grid_->ratio;
    down_ = static_cast<int>(std::ceil(std::log(2.0) / std::log(r) - 1e-9));
    const double below = std::pow(r, -down_), part = (0.5 - below) / (below * r - below);
    first_ = static_cast<Real>(1.0 - part), second_ = static_cast<Real>(part);
}

void Triads::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    const LaneGrid& g = *grid_;
    const double depth = sea.depth, gd = base::gravity * depth;
    const double height = 4.0 * std::sqrt(static_cast<double>(sea.variance));
    const double ratio = 1.0 / (sea.first_moment_frequency * base::pi * depth);
    const double ursell = base::gravity * height / (8.0 * std::sqrt(2.0)) * ratio * ratio;
    if (!(ursell > least_)) return;
    // sin(π/2 tanh - π/2) = -cos(π/2 tanh)
    const double sine = std::cos(0.5 * base::pi * exec::lanes::tanh(0.2 / ursell));
    for (int i = down_; i < g.frequencies; ++i) {
        if (g.frequency[i] > highest_ * sea.first_moment_frequency) break;
        const int half = i - down_;
        const double k = first_ * sea.wave_number[half] + second_ * sea.wave_number[half + 1];
        const double slow = 0.5 * g.sigma[i] / k, other = sea.wave_number[i];
        const double sigma = g.sigma[i];
        const double coupling =
            k * k * (gd + 2.0 * slow * slow) /
            (other * depth *
             (gd + 2.0 / 15.0 * gd * depth * depth * other * other - 0.4 * sigma * sigma * depth * depth));
        const Real scale =
            static_cast<Real>(strength_ * sine * coupling * coupling * sigma / other * sea.group_speed[i]);
        // Widths of the series: two frequencies lose 2 S⁺ between them, each as its width is to that of this one.
        const Real below = Real(2) * first_, above = Real(2) * second_;
        const Real lost_below = first_ * g.frequency[i] / g.frequency[half];
        const Real lost_above = second_ * g.frequency[i] / g.frequency[half + 1];
        const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(half) * g.lanes;
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane e = load(sea.energy + to + j), low = load(sea.energy + from + j),
                       high = load(sea.energy + from + g.lanes + j);
            const Lane mean = first_ * low + second_ * high;
            const Lane wanted = mean * (mean - Real(2) * e);
            const Lane gives = wanted > 0 ? lanes::broadcast(scale) : Lane{};
            const Lane gain = gives * wanted, slope = gives * (mean - e);
            const auto add_to = [&](std::ptrdiff_t place, Lane source, Lane derivative) {
                lanes::store(sum.source + place + j, load(sum.source + place + j) + source);
                lanes::store(sum.derivative + place + j, load(sum.derivative + place + j) + derivative);
            };
            add_to(to, gain, Real(-2) * gives * mean);
            add_to(from, -lost_below * gain, -lost_below * below * slope);
            add_to(from + g.lanes, -lost_above * gain, -lost_above * above * slope);
        }
    }
}

SourceTermKind triads() {
    return describe<Triads>("triads", {Triads::coefficients}, 70);
}

}  // namespace groundswell::sea::terms
