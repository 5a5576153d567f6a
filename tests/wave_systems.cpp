// Wave systems of spectra from elsewhere, for tests/python/score/test_wave_systems.py. Standard input has, for each spectrum: frequencies,
// directions, first frequency (Hz), ratio, depth (m), wind speed (m s⁻¹), the direction the wind blows to (rad, counter-clockwise from
// east), and the densities (m² s rad⁻¹) by frequency and direction, which begin at east and turn counter-clockwise. A line is printed
// for each: heights of wind sea and swells, m.

#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

#include "groundswell/sea/spectrum/dispersion.hpp"
#include "groundswell/sea/spectrum/partitions.hpp"

using namespace groundswell::sea;

int main() {
    int frequencies = 0, directions = 0;
    while (std::cin >> frequencies >> directions) {
        double first = 0, ratio = 0, depth = 0, speed = 0, towards = 0, density = 0;
        std::cin >> first >> ratio >> depth >> speed >> towards;
        const SpectralGrid grid(frequencies, directions, first, ratio);
        std::vector<Real> action(grid.stride()), k, cg;
        for (int i = 0; i < frequencies; ++i) {
            const double number = wave_number(grid.sigma[i], depth);
            k.push_back(static_cast<Real>(number));
            cg.push_back(static_cast<Real>(group_speed(grid.sigma[i], number, depth)));
            for (int j = 0; j < directions; ++j) {
                std::cin >> density;
                action[grid.index(i, j)] = static_cast<Real>(density / grid.sigma[i]);
            }
        }
        for (const WavePart& part : find_wave_systems(grid, {action.data(), k.data(), cg.data(), depth, speed,
                                                             std::cos(towards), std::sin(towards)}))
            std::printf("%.6g ", 4.0 * std::sqrt(part.variance));
        std::printf("\n");
    }
}
