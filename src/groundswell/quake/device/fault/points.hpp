#pragma once

#include "groundswell/quake/fault/laws/friction.hpp"

namespace groundswell::quake {

/// A sub-step of a batch of faces, as a law sees it on a device: as Slipping, but that a lane has single points of all faces,
/// [value][point][face], and that what all lanes make of them is there for others after a sync.
template <class Block>
struct DealtPoints {
    using Number = double;
    const Block& block;
    int faces;   ///< in the batch
    int points;  ///< of all of them: from one value to the next
    double time, length;
    const double* eta;  ///< [face]
    const double *normal, *shear, *parameter, *of_fault;
    double *state, *rate, *scratch;
    const double* smoothing;
    FrictionScheme scheme;
    double* along;
    static constexpr const SlipSeries* series = nullptr;

    constexpr PointNumbers<double> parameters(int point) const { return {parameter + point, points}; }
    constexpr PointNumbers<double> states(int point) const { return {state + point, points}; }
    constexpr double pressure(int point) const { return greater(-normal[point], 0.0); }
    template <class Body>
    constexpr void for_each_point(const Body& body) const {
        block.lanes(points, body);
    }
    constexpr const double& impedance(int point) const { return eta[point % faces]; }
    constexpr double per_impedance(int point) const { return 1.0 / eta[point % faces]; }
};

/// As that of Slipping.
template <class Block, class Use>
constexpr void smooth(const DealtPoints<Block>& s, const double* from, const Use& use) {
    s.block.sync();
    const int of_face = s.points / s.faces;
    s.for_each_point([&](int p) {
        const double* const row = s.smoothing + p / s.faces * of_face;
        double sum = 0.0;
        for (int r = 0; r < of_face; ++r) sum += row[r] * from[r * s.faces + p % s.faces];
        use(p, sum);
    });
}

}  // namespace groundswell::quake
