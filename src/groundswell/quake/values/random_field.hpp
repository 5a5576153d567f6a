#pragma once

#include <array>
#include <vector>

namespace groundswell::quake {

/// A field in space of mean 0 and variance 1 whose autocorrelation is that of von Kármán (P. M. Mai and G. C. Beroza 2002,
/// doi:10.1029/2001JB000588, equations 5 and 6): a sum of plane waves of one amplitude, whose wave numbers are spread as its spectrum says, in
/// random directions with random phases (R. H. Kraichnan 1970, doi:10.1063/1.1692799). A seed decides it, and nothing else: it is
/// the same at a place whatever mesh, element or rank asks.
class RandomField {
public:
    struct Numbers {
        int seed = 0;
        double correlation_length = 0.0;  ///< m
        double hurst = 0.0;               ///< exponent, above 0 and up to 1
        double shortest = 0.0;            ///< m, the shortest wavelength
    };
    explicit RandomField(const Numbers& numbers);

    double at(const std::array<double, 3>& place) const;

private:
    struct Wave {
        std::array<double, 3> number;  // rad m⁻¹
        double phase;
    };
    std::vector<Wave> waves_;
};

}  // namespace groundswell::quake
