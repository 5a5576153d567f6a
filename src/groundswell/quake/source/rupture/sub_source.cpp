#include "groundswell/quake/source/rupture/sub_source.hpp"

#include <cmath>

#include "groundswell/quake/source/point/reach.hpp"

namespace groundswell::quake {

namespace {

// A measure by which pulses of one rupture compare: as in rock of 30 GPa.
double size_of(const Pulse& pulse) {
    constexpr double usual = 3e10;
    double sum = 0.0;
    for (int i = 0; i < 6; ++i)
        sum +=
            std::abs(pulse.moment[i]) + usual * (std::abs(pulse.per_mu[i]) + std::abs(pulse.per_lambda[i]));
    if (sum == 0.0) {
        for (const double one : pulse.force) sum += std::abs(one);
    }
    return sum * std::abs(pulse.time_function()->whole());
}

// Half of `per_mu` is the strain that the slip stands for, times its volume: c_ijkl A s_k n_l (K. Aki and P. G. Richards 2002,
// equation 3.19).
double moment_of_slip(const Stiffness& stiffness, const std::array<double, 6>& per_mu, int component) {
    double moment = 0.0;
    for (int j = 0; j < 6; ++j) moment += stiffness.matrix()[component][j] * (j < 3 ? 0.5 : 1.0) * per_mu[j];
    return moment;
}

}  // namespace

std::unique_ptr<TimeFunction> Pulse::time_function() const {
    return rate.empty() ? brune(onset, interval) : sampled(onset, interval, rate);
}

void Pulse::open(double area, double strike, double dip) {
    const double n[3] = {std::cos(strike) * std::sin(dip), -std::sin(strike) * std::sin(dip), std::cos(dip)};
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (int q = 0; q < 6; ++q) {
        per_mu[q] = 2.0 * area * n[pair[q][0]] * n[pair[q][1]];
        per_lambda[q] = q < 3 ? area : 0.0;
    }
}

std::vector<PointSource> SubSource::in(const Material& rock) const {
    std::vector<PointSource> sources;
    for (const Pulse& pulse : pulses) {
        PointSource& source = sources.emplace_back();
        source.place = place;
        source.force = pulse.force;
        for (int i = 0; i < 6; ++i)
            source.moment[i] =
                rock.is_anisotropic()
                    ? pulse.moment[i] + moment_of_slip(*rock.stiffness, pulse.per_mu, i)
                    : pulse.moment[i] + rock.mu * pulse.per_mu[i] + rock.lambda * pulse.per_lambda[i];
        source.rate = pulse.time_function();
    }
    return sources;
}

double reach_of(const Rupture& rupture) {
    const Pulse* greatest = nullptr;
    double most = -1.0;
    for (const SubSource& part : rupture.parts) {
        for (const Pulse& pulse : part.pulses) {
            const double size = size_of(pulse);
            if (size <= most) continue;
            most = size;
            greatest = &pulse;
        }
    }
    if (greatest == nullptr) return 0.0;
    return greatest->rate.empty() ? reach::brune(greatest->interval)
                                  : reach::sampled(greatest->interval, greatest->rate);
}

}  // namespace groundswell::quake
