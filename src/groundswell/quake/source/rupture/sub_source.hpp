#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/quake/material.hpp"
#include "groundswell/quake/source/point/point_source.hpp"

namespace groundswell::quake {

/// One way in which a sub-source acts. Its moment may depend on the rock that it lies in: it is
/// `moment` + μ `per_mu` + λ `per_lambda`, with components as in PointSource.
struct Pulse {
    std::array<double, 6> moment{};      ///< N m, where the integral of the rate is 1
    std::array<double, 6> per_mu{};      ///< m³
    std::array<double, 6> per_lambda{};  ///< m³
    std::array<double, 3> force{};       ///< N s
    double onset = 0.0;                  ///< s
    double interval = 0.0;               ///< s: between samples, or Brune's time
    std::vector<double> rate;  ///< samples, straight in between and 0 outside; none: (t / T²) exp(−t / T)

    std::unique_ptr<TimeFunction> time_function() const;
    /// Makes it that of a fault which opens: λ + 2μ along its normal, λ across it (Aki & Richards 2002, equation 3.21). Area in
    /// m², angles in rad.
    void open(double area, double strike, double dip);
};

/// A part of a rupture, small enough to be a point.
struct SubSource {
    tetra::Point place{};  ///< m
    double area = 0.0;     ///< m², where its file has one
    std::vector<Pulse> pulses;
    std::int64_t line = 0;  ///< of its file; 0: none

    /// Source there, in rock of a kind; what depends on it is in anisotropic rock the moment of the same slip.
    std::vector<PointSource> in(const Material& rock) const;
};

/// A rupture as a file or a few numbers describe it.
struct Rupture {
    std::vector<SubSource> parts;     ///< those in which something acts
    std::int64_t silent = 0;          ///< parts in which nothing does
    bool depth_from_surface = false;  ///< z of the parts is counted from the free surface above or below them
    std::string warning;              ///< for people; empty: none
};

/// The highest frequency in Hz of the pulse that slips most, below which 99 % of its energy lies.
double reach_of(const Rupture& rupture);

/// Between which times a rupture acts, s. A rate without end counts for ten of its times.
struct Times {
    double begin = 0.0, end = 0.0;
};
Times times_of(const Rupture& rupture);

/// The corners of a box about its parts, m.
struct Extent {
    tetra::Point low{}, high{};
};
Extent extent_of(const Rupture& rupture);
/// "x -950 to 950 m, y 0 to 0 m, z -2200 to -1800 m".
std::string text_of(const Extent& extent);

/// A line for people: how many parts, where, when, and the moment as far as it is known without a mesh.
std::string about(const std::string& name, const Rupture& rupture);

}  // namespace groundswell::quake
