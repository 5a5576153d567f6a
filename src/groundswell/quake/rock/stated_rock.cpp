#include "groundswell/quake/rock/stated_rock.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace groundswell::quake {

Material StatedRock::material() const {
    if (moduli) return {density, first, second, loss_p, loss_s};
    const double mu = density * second * second;
    return {density, density * first * first - 2.0 * mu, mu, loss_p, loss_s};
}

StatedRock between(const StatedRock& a, const StatedRock& b, double weight) {
    return {std::lerp(a.density, b.density, weight), std::lerp(a.first, b.first, weight),
            std::lerp(a.second, b.second, weight),   a.moduli,
            std::lerp(a.loss_p, b.loss_p, weight),   std::lerp(a.loss_s, b.loss_s, weight)};
}

double bulk_modulus(const Material& material) {
    return material.lambda + 2.0 / 3.0 * material.mu;
}

namespace {

// Rock whose bulk modulus would gain energy where the shear modulus loses it; and water loses nothing.
std::optional<Flaw> flaw_of_quality(const StatedRock& rock) {
    const Material m = rock.material();
    if (m.is_liquid()) {
        for (const auto& [key, loss] : {std::pair{"qp", rock.loss_p}, std::pair{"qs", rock.loss_s}})
            if (loss > 0.0) return Flaw{key, 1.0 / loss, "0 in water, which loses nothing"};
        return {};
    }
    const double most = (m.lambda + 2.0 * m.mu) / (4.0 / 3.0 * m.mu * rock.loss_s);
    if (rock.loss_s == 0.0 || rock.loss_p * most > 1.0 - 1e-6) return {};
    return Flaw{
        "qp", rock.loss_p > 0.0 ? 1.0 / rock.loss_p : 0.0,
        fmt::format("above 0 and at most {:.4g} = 3/4 (vp/vs)² qs, or rock would gain energy when it is "
                    "compressed",
                    most)};
}

}  // namespace

std::optional<Flaw> flaw_of(const StatedRock& rock) {
    for (const auto& [key, loss] : {std::pair{"qp", rock.loss_p}, std::pair{"qs", rock.loss_s}}) {
        if (!(loss >= 0.0 && loss <= 0.2))
            return Flaw{key, 1.0 / loss, "5 or more, or 0 where nothing is lost"};
    }
    // Products of larger ones, and quotients of smaller ones, may not be numbers.
    const auto is_number = [](double value) { return value > 1e-30 && value < 1e30; };
    const bool bears = is_number(rock.second) || rock.second == 0.0;
    if (is_number(rock.density) && std::abs(rock.first) < 1e30 && bears &&
        (rock.moduli || rock.first > 0.0) && bulk_modulus(rock.material()) > 0.0)
        return flaw_of_quality(rock);
    if (!is_number(rock.density)) return Flaw{"density", rock.density, "a number above 0 kg m-3"};
    if (rock.moduli) {
        if (!bears) return Flaw{"mu", rock.second, "a number above 0 Pa, or 0 of water"};
        return Flaw{"lambda", rock.first,
                    fmt::format("a number above {:.6g} Pa = -2 mu / 3: the bulk modulus must be above 0",
                                -2.0 / 3.0 * rock.second)};
    }
    if (!is_number(rock.first)) return Flaw{"vp", rock.first, "a number above 0 m s-1"};
    if (!bears) return Flaw{"vs", rock.second, "a number above 0 m s-1, or 0 of water"};
    return Flaw{"vs", rock.second,
                fmt::format("a number below {:.6g} m s-1 = vp √3 / 2: the bulk modulus must be above 0",
                            0.5 * std::numbers::sqrt3 * rock.first)};
}

}  // namespace groundswell::quake
