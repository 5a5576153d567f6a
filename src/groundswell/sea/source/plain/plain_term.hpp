#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/plain.hpp"

/// Plain forms of source terms, each in a file of this folder: NAME.cpp defines `PlainSum NAME(const Plain& p)` in this
/// namespace, and the build lists all of them (groundswell_list in cmake/GroundswellModules.cmake). A term without one is not checked.
namespace groundswell::sea::plain {

/// A cell and the physics of its terms.
struct Plain {
    const LaneGrid& g;
    const PhysicsOptions& options;
    const SeaCell& sea;

    double value(std::string_view coefficient) const { return options.value(coefficient); }
    PlainSum nothing() const {
        return {std::vector<double>(static_cast<std::size_t>(g.bins())),
                std::vector<double>(static_cast<std::size_t>(g.frequencies))};
    }
    int bin(int i, int j) const {
        return i * g.directions + (j % g.directions + g.directions) % g.directions;
    }
    double energy(int i, int j) const {
        return sea.energy[i * g.lanes + (j % g.directions + g.directions) % g.directions];
    }
    double angle(int j) const { return base::two_pi * j / g.directions; }
    double along_wind(int j) const {
        return std::cos(angle(j)) * sea.wind_x + std::sin(angle(j)) * sea.wind_y;
    }
    double row_energy(int i) const {
        double sum = 0.0;
        for (int j = 0; j < g.directions; ++j) sum += energy(i, j);
        return sum * base::two_pi / g.directions;
    }
    /// k³ cg/(2π) of the highest E(f, θ).
    double saturation(int i) const {
        double most = 0.0;
        for (int j = 0; j < g.directions; ++j) most = std::max(most, energy(i, j));
        return std::pow(static_cast<double>(sea.wave_number[i]), 3) * sea.group_speed[i] / base::two_pi *
               most;
    }
    /// Mean of rate(m0), s⁻¹, over the step in which dm0/dt = -rate m0.
    template <class Rate>
    double mean_loss(const Rate& rate) const {
        double variance = sea.variance, remaining = sea.step, lost = 0.0;
        while (variance > 0.0 && remaining > 0.0) {
            const double now = rate(variance);
            if (now * remaining < 1e-12) break;
            const double part = std::min(remaining, 0.1 / now);
            lost += now * part;
            variance *= std::exp(-now * part);
            remaining -= part;
        }
        return lost / sea.step;
    }
    template <class Body>
    void for_each_bin(const Body& body) const {
        for (int i = 0; i < g.frequencies; ++i) {
            for (int j = 0; j < g.directions; ++j) body(i, j);
        }
    }
};

struct PlainTerm {
    std::string_view name;  ///< of the term
    PlainSum (*evaluate)(const Plain& cell);
};

}  // namespace groundswell::sea::plain
