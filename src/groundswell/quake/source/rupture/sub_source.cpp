#include "groundswell/quake/source/rupture/sub_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

constexpr double infinity = std::numeric_limits<double>::infinity();

// "x -950 to 950 m", to a millimetre.
std::string span_text(const Extent& extent, int axis) {
    const auto rounded = [](double metres) { return std::round(1000.0 * metres) / 1000.0 + 0.0; };
    return fmt::format("{} {:.7g} to {:.7g} m", "xyz"[axis], rounded(extent.low[axis]),
                       rounded(extent.high[axis]));
}

bool depends_on_rock(const Rupture& rupture) {
    const auto is_used = [](const std::array<double, 6>& tensor) {
        return std::ranges::any_of(tensor, [](double one) { return one != 0.0; });
    };
    return std::ranges::any_of(rupture.parts, [&](const SubSource& part) {
        return std::ranges::any_of(part.pulses, [&](const Pulse& pulse) {
            return is_used(pulse.per_mu) || is_used(pulse.per_lambda);
        });
    });
}

// In rock of one kind.
double moment_of(const Rupture& rupture, const Material& rock) {
    SourceTally tally;
    for (const SubSource& part : rupture.parts) tally.add(part.in(rock));
    return tally.total(MPI_COMM_SELF).moment;
}

std::string moment_text(const Rupture& rupture) {
    if (!depends_on_rock(rupture)) {
        const double moment = moment_of(rupture, {});
        return moment > 0.0
                   ? fmt::format("moment {:.4g} N m, magnitude {:.2f}", moment, moment_magnitude(moment))
                   : "no moment";
    }
    constexpr double usual = 3e10;  // Pa
    const double moment = moment_of(rupture, {2700.0, usual, usual});
    return fmt::format(
        "moment and magnitude by the rock there, as --check tells them; in rock of 30 GPa {:.4g} N m and "
        "{:.2f}",
        moment, moment_magnitude(moment));
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
    return greatest == nullptr ? 0.0 : greatest->time_function()->highest_frequency();
}

Times times_of(const Rupture& rupture) {
    constexpr double times_of_endless = 10.0;
    Times times{infinity, -infinity};
    for (const SubSource& part : rupture.parts) {
        for (const Pulse& pulse : part.pulses) {
            const double intervals =
                pulse.rate.empty() ? times_of_endless : static_cast<double>(pulse.rate.size() - 1);
            times.begin = std::min(times.begin, pulse.onset);
            times.end = std::max(times.end, pulse.onset + intervals * pulse.interval);
        }
    }
    return times;
}

Extent extent_of(const Rupture& rupture) {
    Extent extent;
    extent.low.fill(infinity);
    extent.high.fill(-infinity);
    for (const SubSource& part : rupture.parts) {
        for (int j = 0; j < 3; ++j) {
            extent.low[j] = std::min(extent.low[j], part.place[j]);
            extent.high[j] = std::max(extent.high[j], part.place[j]);
        }
    }
    return extent;
}

std::string text_of(const Extent& extent) {
    return fmt::format("{}, {}, {}", span_text(extent, 0), span_text(extent, 1), span_text(extent, 2));
}

std::string about(const std::string& name, const Rupture& rupture) {
    const Times times = times_of(rupture);
    return fmt::format("{}: {} sub-sources, {}{}, from {:.4g} to {:.4g} s, {}", name, rupture.parts.size(),
                       text_of(extent_of(rupture)),
                       rupture.depth_from_surface ? " from the free surface" : "", times.begin, times.end,
                       moment_text(rupture));
}

}  // namespace groundswell::quake
