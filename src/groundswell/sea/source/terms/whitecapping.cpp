#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class Whitecapping : public FormulaTerm<WhitecappingFormula> {
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

private:
    exec::Array<Real> weight_, distance_, ends_;  // of the formula
};

Whitecapping::Whitecapping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : FormulaTerm(std::move(grid), {}) {
    WhitecappingFormula& formula = formula_;
    formula.strength = static_cast<Real>(options[strength]);
    formula.threshold = static_cast<Real>(options[threshold]);
    formula.isotropy = static_cast<Real>(options[isotropy]);
    const LaneGrid& g = *grid_;
    // A direction stands for the sector ±Δθ/2 around it; the outermost on each side counts in part.
    const double width = g.direction_width;
    const double half = options[half_angle] * base::degree;
    formula.reach = std::min(static_cast<int>(std::lround(half / width)), g.directions / 2 - 1);
    weight_ = make_lanes(formula.reach + 1);
    for (int d = 0; d <= formula.reach; ++d) {
        const double share =
            d < formula.reach || d == 0 ? width : std::clamp(half - (d - 0.5) * width, 0.0, width);
        weight_[d] = static_cast<Real>(share * std::pow(std::cos(d * width), 2));
    }
    distance_ = make_lanes(g.directions);
    for (int j = 0; j < g.directions; ++j) distance_[j] = static_cast<Real>(std::cos(j * width));
    // With an even number of directions the opposite one is at both ends of the sum: half for each.
    ends_ = make_lanes(g.directions, Real(1));
    if (g.directions % 2 == 0) ends_[g.directions / 2] = Real(0.5);
    formula.weight = weight_.span(), formula.distance = distance_.span(), formula.ends = ends_.span();
    // Λ = 28.16/(2π²) (√B - √B_r)² /k dk dθ: breaking probability of Banner et al. (2000), crest
    // length density 1/(2π²) (Ardhuin et al. 2010), as in WAVEWATCH III; ecWAM has a quarter of it.
    const double density = 28.16 / (2.0 * base::pi * base::pi);
    formula.cumulative = static_cast<Real>(options[cumulative] * density * std::log(g.ratio) * width);
    const double rows =
        options[gap] > 0.0 ? options[gap] / (g.ratio - 1.0) : std::log(2.0) / std::log(g.ratio);
    formula.frequency_gap = static_cast<int>(std::lround(rows));
    formula.end_weight = static_cast<Real>(options[end_weight]);
}

SourceTermKind whitecapping() {
    return describe<Whitecapping>("whitecapping", {Whitecapping::coefficients}, 30);
}

}  // namespace groundswell::sea::terms
