#include "groundswell/quake/source/point/reach.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace groundswell::quake::reach {

namespace {

using Complex = std::complex<double>;

constexpr double most = 0.99;                 // of the energy
constexpr std::size_t fine_spectrum = 65536;  // rows: a power of two
constexpr std::size_t enough_points = 4096;   // what lies between fewer samples is looked at more closely

// The discrete Fourier transform, by halves (J. W. Cooley & J. W. Tukey 1965); a power of two of values.
std::vector<Complex> transform(std::vector<Complex> value) {
    const std::size_t count = value.size();
    for (std::size_t i = 1, j = 0; i < count; ++i) {
        std::size_t bit = count >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(value[i], value[j]);
    }
    for (std::size_t length = 2; length <= count; length *= 2) {
        for (std::size_t k = 0; k < length / 2; ++k) {
            const Complex turn = std::polar(
                1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
            for (std::size_t first = k; first < count; first += length) {
                const Complex here = value[first], there = turn * value[first + length / 2];
                value[first] = here + there;
                value[first + length / 2] = here - there;
            }
        }
    }
    return value;
}

}  // namespace

// Where the error function, of the spectrum exp(−(ω width)²/2) squared, is 0.99.
double gaussian(double width) {
    return 0.2898826 / width;
}

// Where ∫ x⁴ exp(−2x²), x in units of the peak frequency, has 0.99 of its whole.
double ricker(double frequency) {
    return 1.942053 * frequency;
}

// Where ∫ 1/(1 + (ω time)²)² has 0.99 of its whole.
double brune(double time) {
    return 0.5367103 / time;
}

double step() {
    return std::numeric_limits<double>::infinity();
}

double sampled(double interval, std::span<const double> rate) {
    const std::size_t pieces = (enough_points + rate.size() - 1) / rate.size();
    const std::size_t points = (rate.size() - 1) * pieces + 1;
    std::size_t count = fine_spectrum;
    while (count < 2 * points) count *= 2;
    std::vector<Complex> value(count);
    for (std::size_t i = 0; i < points; ++i) {
        const std::size_t sample = i / pieces;
        const double part = static_cast<double>(i % pieces) / static_cast<double>(pieces);
        value[i] = rate[sample] + (part > 0.0 ? part * (rate[sample + 1] - rate[sample]) : 0.0);
    }
    value = transform(std::move(value));
    // Each stands for the frequencies half a row to both sides.
    std::vector<double> energy;
    for (std::size_t k = 0; k <= count / 2; ++k) energy.push_back((k == 0 ? 0.5 : 1.0) * std::norm(value[k]));
    const double whole = std::accumulate(energy.begin(), energy.end(), 0.0);
    if (whole == 0.0) return 0.0;
    double below = 0.0;
    std::size_t k = 0;
    for (; k < count / 2 && below + energy[k] < most * whole; ++k) below += energy[k];
    const double row = static_cast<double>(k) - 0.5 + (most * whole - below) / energy[k];
    return row * static_cast<double>(pieces) / (static_cast<double>(count) * interval);
}

}  // namespace groundswell::quake::reach
