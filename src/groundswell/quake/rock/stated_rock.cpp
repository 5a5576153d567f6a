#include "groundswell/quake/rock/stated_rock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace groundswell::quake {

Material StatedRock::sample() const {
    if (constants.empty()) return material();
    return {density, 0.0, 0.0, 0.0, 0.0, std::make_shared<const Stiffness>(constants)};
}

Material StatedRock::material() const {
    if (!constants.empty()) return anisotropic(density, Stiffness(constants));
    if (moduli) return {density, first, second, loss_p, loss_s};
    const double mu = density * second * second;
    return {density, density * first * first - 2.0 * mu, mu, loss_p, loss_s};
}

StatedRock between(const StatedRock& a, const StatedRock& b, double weight) {
    StatedRock rock{std::lerp(a.density, b.density, weight), std::lerp(a.first, b.first, weight),
                    std::lerp(a.second, b.second, weight),   a.moduli,
                    std::lerp(a.loss_p, b.loss_p, weight),   std::lerp(a.loss_s, b.loss_s, weight)};
    for (std::size_t i = 0; i < a.constants.size(); ++i)
        rock.constants.push_back(std::lerp(a.constants[i], b.constants[i], weight));
    return rock;
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

// No strain may be without energy.
std::optional<Flaw> flaw_of_constants(const std::vector<double>& constants) {
    for (int i = 0; i < elastic_constants; ++i)
        if (!(std::abs(constants[i]) < 1e30))
            return Flaw{name_of_constant(i), constants[i], "a number of Pa"};
    const Square6 matrix = matrix_of(constants);
    const int definite = inverse_of(matrix).definite;
    if (definite == 6) return {};
    return Flaw{fmt::format("c{0}{0}", definite + 1), matrix[definite][definite],
                fmt::format("constants with which no strain is without energy: the matrix c11 … c66 must be "
                            "positive definite, and its first {} rows and columns are not",
                            definite + 1)};
}

}  // namespace

std::optional<Flaw> flaw_of(const StatedRock& rock) {
    for (const auto& [key, loss] : {std::pair{"qp", rock.loss_p}, std::pair{"qs", rock.loss_s}}) {
        if (!(loss >= 0.0 && loss <= 0.2))
            return Flaw{key, 1.0 / loss, "5 or more, or 0 where nothing is lost"};
    }
    // Products of larger ones, and quotients of smaller ones, may not be numbers.
    const auto is_number = [](double value) { return value > 1e-30 && value < 1e30; };
    if (!is_number(rock.density)) return Flaw{"density", rock.density, "a number above 0 kg m-3"};
    if (!rock.constants.empty()) return flaw_of_constants(rock.constants);
    const bool bears = is_number(rock.second) || rock.second == 0.0;
    if (std::abs(rock.first) < 1e30 && bears && (rock.moduli || rock.first > 0.0) &&
        bulk_modulus(rock.material()) > 0.0)
        return flaw_of_quality(rock);
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

StatedRock RockProfile::at(double z) const {
    const auto below = std::ranges::find_if(rows, [&](const Row& row) { return row.z < z; });
    if (below == rows.begin()) return rows.front().rock;
    const Row& above = *(below - 1);
    if (!gradient || below == rows.end()) return above.rock;
    return between(above.rock, below->rock, (above.z - z) / (above.z - below->z));
}

double part_below(const std::array<tetra::Point, 4>& corners, double z) {
    std::array<double, 4> at{corners[0][2], corners[1][2], corners[2][2], corners[3][2]};
    std::ranges::sort(at);
    if (z <= at[0]) return 0.0;
    if (z >= at[3]) return 1.0;
    // How far along the edge between two corners the height lies.
    const auto along = [&](int from, int to) { return (z - at[from]) / (at[to] - at[from]); };
    if (z <= at[1]) return along(0, 1) * along(0, 2) * along(0, 3);
    if (z >= at[2]) return 1.0 - along(3, 0) * along(3, 1) * along(3, 2);
    // A wedge, of three tetrahedra.
    const double a = along(0, 2), b = along(0, 3), c = along(1, 2), d = along(1, 3);
    return a * b + b * c * (1.0 - a) + c * d * (1.0 - b);
}

Mean mean_of_layers(const std::vector<RockProfile::Row>& layers, const std::array<tetra::Point, 4>& corners) {
    Mean mean;
    double above = 1.0;  // the part below the top of the layer
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const double below = i + 1 < layers.size() ? part_below(corners, layers[i + 1].z) : 0.0;
        if (above > below) mean.add(above - below, layers[i].rock.sample());
        above = below;
    }
    return mean;
}

}  // namespace groundswell::quake
