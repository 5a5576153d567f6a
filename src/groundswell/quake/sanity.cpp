#include "groundswell/quake/sanity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/energy.hpp"

namespace groundswell::quake {

namespace {

// Steps of the model between two looks at the energy, which reads the whole state.
constexpr std::int64_t energy_every = 16;
// Growth between two looks that is more than rounding.
constexpr double tolerated_growth = 1e-3;
// With so many times the energy that it was given a wave field is beyond doubt not that of the case any more.
constexpr double runaway = 2.0;
// A source whose integral changes by less than this part of what it has come to at most acts no more; one that begins slowly
// acts from the start.
constexpr double done = 1e-6;

}  // namespace

template <class Real>
void Sanity<Real>::check(const Wavefield<Real>& field, std::int64_t steps) {
    if (steps % energy_every == 0) look_at_energy(field);
    look_at_values(field);
}

// What is no number anywhere in an element is none in its mean velocity a step later.
template <class Real>
void Sanity<Real>::look_at_values(const Wavefield<Real>& field) const {
    for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
        if (std::isfinite(field.coefficient(cell, 0, Elastic::vx))) continue;
        throw base::RunFailure(
            fmt::format("the wave field is no longer a finite number {}", place_of(cell, field)));
    }
}

template <class Real>
std::string Sanity<Real>::place_of(std::int32_t cell, const Wavefield<Real>& field) const {
    const auto& place = domain_.mesh.cell[cell].place[0];
    return fmt::format(
        "in cell {} of {} at {:.6g}, {:.6g}, {:.6g} m (cluster {}) at {:.6g} s; the step is "
        "solver.courant = {} of the longest that solver.step_rule allows: a smaller one may help",
        domain_.mesh.row[cell], case_.mesh.name(), place[0], place[1], place[2], domain_.mesh.group_of(cell),
        field.time(), case_.solver.step.courant);
}

// Whether a source acts in that time.
template <class Real>
bool Sanity<Real>::is_fed(double from, double to) {
    most_.resize(case_.sources.size(), 0.0);
    // A fault may slip at any time.
    bool fed = case_.fault.has_value() ||
               std::ranges::any_of(work_, [&](const Span& one) { return one.begin < to && one.end > from; });
    for (std::size_t s = 0; s < most_.size(); ++s) {
        const TimeFunction& rate = *case_.sources[s].source.rate;
        const double before = rate.integral(from), now = rate.integral(to);
        most_[s] = std::max({most_[s], std::abs(before), std::abs(now)});
        fed = fed || std::abs(now - before) > done * most_[s];
    }
    return fed;
}

template <class Real>
void Sanity<Real>::look_at_energy(const Wavefield<Real>& field) {
    const auto mass = tetrahedron_mass(case_.solver.order);
    std::vector<double> mine(field.cells()), density(field.cells());
    exec::for_each_cell(0, field.cells(), [&](std::int32_t cell) {
        const Real* state = field.state_of(cell);
        const double volume = tetra::geometry_of(domain_.mesh.cell[cell].place).volume;
        const auto coefficient = [&](int k, int q) {
            return static_cast<double>(state[(9 * static_cast<std::size_t>(k) + q) * field.lanes()]);
        };
        std::vector<Mechanism> mechanisms;
        if (const auto& attenuation = case_.rock.attenuation)
            mechanisms = attenuation->mechanisms_of(domain_.material[cell]);
        const Real* memory = mechanisms.empty() ? nullptr : field.memory_of(cell);
        const Energy energy = energy_of(
            mass, domain_.material[cell], mechanisms, volume, coefficient, [&](int k, std::size_t l, int i) {
                return static_cast<double>(
                    memory[((static_cast<std::size_t>(k) * mechanisms.size() + l) * 6 + i) * field.lanes()]);
            });
        mine[cell] = energy.kinetic + energy.elastic;
        density[cell] = mine[cell] / volume;
    });
    parallel::Located densest;
    for (std::int32_t cell = 0; cell < field.cells(); ++cell)
        densest = parallel::greater(densest, {density[cell], domain_.mesh.row[cell]});
    const double now = parallel::sum(comm_, mine), before = energy_, since = since_;
    energy_ = now;
    since_ = field.time();
    if (before < 0.0 || is_fed(since, since_)) {
        fed_ = std::max(fed_, now);
        return;
    }
    if (!has_told_ && now > before * (1.0 + tolerated_growth)) {
        has_told_ = true;
        if (parallel::rank_of(comm_) == 0)
            base::log_warning(
                "energy grows without a source: {:.6g} J at {:.6g} s, {:.6g} J at {:.6g} s; the run may be "
                "unstable: a smaller solver.courant than {} may help",
                before, since, now, since_, case_.solver.step.courant);
    }
    if (!(now > runaway * fed_)) return;
    densest = parallel::max_located(comm_, densest);
    const auto cell = std::ranges::find(domain_.mesh.row, densest.id) - domain_.mesh.row.begin();
    if (cell >= field.cells()) return;
    throw base::RunFailure(fmt::format(
        "the energy of the wave field has grown from {:.3g} J to {:.3g} J though no source acts; it "
        "is densest {}",
        fed_, now, place_of(static_cast<std::int32_t>(cell), field)));
}

template class Sanity<float>;
template class Sanity<double>;

}  // namespace groundswell::quake
