#pragma once

#include <cmath>
#include <string_view>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/plain.hpp"

/// Plain forms of source terms, each in a file of this folder: NAME.cpp defines a function `PlainTerm NAME()` in this namespace,
/// and the build lists all of them (groundswell_list in cmake/GroundswellModules.cmake). A term without one is not checked.
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
