#include "groundswell/sea/source/terms/formulas/four_wave.hpp"

#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/terms/formula_term.hpp"

namespace groundswell::sea::terms {

class FourWave : public FormulaTerm<FourWaveFormula> {
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

private:
    exec::Array<Real> strength_, tail_;  // of FourWaveNumbers
};

FourWave::FourWave(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : FormulaTerm(std::move(grid), {}) {
    const LaneGrid& g = *grid_;
    FourWaveNumbers& n = formula_;
    const double lambda = options[shape], r = g.ratio;
    const double above = 1.0 + lambda, below = 1.0 - lambda;

    n.up = static_cast<int>(std::floor(std::log(above) / std::log(r) + 1e-9));
    n.down = -static_cast<int>(std::floor(std::log(below) / std::log(r) + 1e-9));
    // Linear in frequency between two rows: the sum of f·weight is exactly (1 ± λ)f, which conserves energy.
    const double up = (above - std::pow(r, n.up)) / (std::pow(r, n.up + 1) - std::pow(r, n.up));
    const double down = (below - std::pow(r, -n.down)) / (std::pow(r, 1 - n.down) - std::pow(r, -n.down));
    n.up_first = static_cast<Real>(1.0 - up), n.up_second = static_cast<Real>(up);
    n.down_first = static_cast<Real>(1.0 - down), n.down_second = static_cast<Real>(down);

    // 2k = k₊ + k₋ in deep water, |k| ∝ f²: the angles of k₊ and k₋ to k.
    const double cubic = 2.0 * lambda * lambda * lambda;
    const double plus = std::acos((1.0 + 2.0 * lambda + cubic) / (above * above)) / g.direction_width;
    const double minus = std::acos((1.0 - 2.0 * lambda - cubic) / (below * below)) / g.direction_width;
    n.plus_shift = static_cast<int>(plus), n.minus_shift = static_cast<int>(minus);
    n.plus_second = static_cast<Real>(plus - n.plus_shift), n.plus_first = Real(1) - n.plus_second;
    n.minus_second = static_cast<Real>(minus - n.minus_shift), n.minus_first = Real(1) - n.minus_second;
    n.plus_scale = static_cast<Real>(std::pow(above, -4));
    n.minus_scale = static_cast<Real>(std::pow(below, -4));

    strength_ = make_lanes(g.frequencies + n.down);
    const double over_gravity = options[constant] / std::pow(base::gravity, 4);
    for (int i = 0; i < g.frequencies + n.down; ++i) {
        strength_[i] = static_cast<Real>(over_gravity * std::pow(g.frequency[0] * std::pow(r, i), 11));
    }
    const int last = n.up + n.down + 2;
    tail_ = make_lanes(last + 1);
    for (int i = 0; i <= last; ++i) tail_[i] = static_cast<Real>(std::pow(r, -5 * i));
    n.strength = strength_.span();
    n.tail = tail_.span();
}

SourceTermKind four_wave() {
    return describe<FourWave>("four_wave", {FourWave::coefficients}, 40);
}

}  // namespace groundswell::sea::terms
