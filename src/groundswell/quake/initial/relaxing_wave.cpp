#include "groundswell/quake/initial/relaxing_wave.hpp"

#include <cmath>
#include <tuple>

namespace groundswell::quake {

namespace {

using Complex = std::complex<double>;
constexpr Complex i_unit{0.0, 1.0};
constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

}  // namespace

RelaxingWave::RelaxingWave(const WaveSection& wave, const Material& material, const Attenuation& attenuation)
    : wave_(wave) {
    omega_ = wave.wave_number * (wave.kind == 'P' ? material.vp() : material.vs());
    // Each time nearer by about a factor of Q.
    for (int i = 0; i < 60; ++i) {
        std::tie(lambda_, mu_) = attenuation.moduli(material, omega_);
        const Complex modulus = wave.kind == 'P' ? lambda_ + 2.0 * mu_ : mu_;
        omega_ = wave.wave_number * std::sqrt(modulus / material.density);
    }
    for (const Mechanism& mechanism : attenuation.mechanisms_of(material))
        relaxing_.push_back(mechanism.frequency);
    const auto &n = wave.direction, &d = wave.polarisation;
    for (int s = 0; s < 6; ++s) {
        const auto [a, b] = pair[s];
        direction_[s] = 0.5 * (n[a] * d[b] + n[b] * d[a]);
    }
}

Complex RelaxingWave::velocity(const tetra::Point& place, double time) const {
    double ahead = 0.0;
    for (int j = 0; j < 3; ++j) ahead += wave_.direction[j] * (place[j] - wave_.centre[j]);
    return wave_.velocity * std::exp(i_unit * (omega_ * time - wave_.wave_number * ahead));
}

std::array<double, 9> RelaxingWave::unknowns(const tetra::Point& place, double time) const {
    const Complex v = velocity(place, time), strain = -wave_.wave_number / omega_ * v;
    const double trace = direction_[0] + direction_[1] + direction_[2];
    std::array<double, 9> q{};
    for (int s = 0; s < 6; ++s)
        q[s] = std::real(strain * (2.0 * mu_ * direction_[s] + (s < 3 ? lambda_ * trace : Complex{})));
    for (int j = 0; j < 3; ++j) q[6 + j] = v.real() * wave_.polarisation[j];
    return q;
}

std::vector<double> RelaxingWave::memory(const tetra::Point& place, double time) const {
    const Complex strain = -wave_.wave_number / omega_ * velocity(place, time);
    std::vector<double> all;
    for (const double own : relaxing_) {
        const Complex part = own / (own + i_unit * omega_) * strain;
        for (const double one : direction_) all.push_back(std::real(part) * one);
    }
    return all;
}

}  // namespace groundswell::quake
