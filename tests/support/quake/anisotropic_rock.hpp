// Rock of no symmetry, and isotropic rock as if it were anisotropic.
#pragma once

#include <random>
#include <vector>

#include "groundswell/quake/material.hpp"

namespace groundswell::quake::test {

/// Rows xx yy zz yz xz xy.
inline std::vector<double> isotropic_constants(double lambda, double mu) {
    const double p = lambda + 2.0 * mu;
    return {p, lambda, lambda, 0, 0, 0, p, lambda, 0, 0, 0, p, 0, 0, 0, mu, 0, 0, mu, 0, mu};
}

/// Sound by construction: that of isotropic rock and a random matrix times its own transpose.
inline Material any_rock(int seed) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
    std::uniform_real_distribution<double> between(-1.0, 1.0);
    double root[6][6];
    for (auto& row : root) {
        for (double& one : row) one = 8e4 * between(generator);
    }
    std::vector<double> constants;
    for (int i = 0; i < 6; ++i) {
        for (int j = i; j < 6; ++j) {
            double c = i == j ? (i < 3 ? 5e10 : 1.5e10) : (j < 3 ? 2e10 : 0.0);
            for (int k = 0; k < 6; ++k) c += root[i][k] * root[j][k];
            constants.push_back(c);
        }
    }
    return anisotropic(2500.0 + 20.0 * seed, Stiffness(constants));
}

}  // namespace groundswell::quake::test
