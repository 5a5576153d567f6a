#include "groundswell/quake/sanity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
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
// A source whose integral, 1 in the end, changes by less than this between two looks acts no more.
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
        const auto& place = domain_.mesh.cell[cell].place[0];
        throw base::RunFailure(fmt::format(
            "the wave field is no longer a finite number in cell {} of {} at {:.6g}, {:.6g}, {:.6g} m "
            "(cluster {}) at {:.6g} s; the step is solver.courant = {} of the longest stable one",
            domain_.mesh.row[cell], case_.mesh.name(), place[0], place[1], place[2],
            domain_.mesh.group_of(cell), field.time(), case_.solver.courant));
    }
}

template <class Real>
void Sanity<Real>::look_at_energy(const Wavefield<Real>& field) {
    const auto mass = tetrahedron_mass(case_.solver.order);
    std::vector<double> mine;
    for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
        const Real* state = field.state_of(cell);
        const Energy energy = energy_of(
            mass, domain_.material[cell], tetra::geometry_of(domain_.mesh.cell[cell].place).volume,
            [&](int k, int q) {
                return static_cast<double>(state[(9 * static_cast<std::size_t>(k) + q) * field.lanes()]);
            });
        mine.push_back(energy.kinetic + energy.elastic);
    }
    const double now = parallel::sum(comm_, mine), before = energy_, since = since_;
    energy_ = now;
    since_ = field.time();
    if (before < 0.0 || has_told_ || !(now > before * (1.0 + tolerated_growth))) return;
    for (const SourceSection& section : case_.sources) {
        const TimeFunction& rate = *section.source.rate;
        if (std::abs(rate.integral(since_) - rate.integral(since)) > done) return;
    }
    has_told_ = true;
    if (parallel::rank_of(comm_) == 0)
        base::log_warning(
            "energy grows without a source: {:.6g} J at {:.6g} s, {:.6g} J at {:.6g} s; the run may not be "
            "stable: a smaller solver.courant than {} may help",
            before, since, now, since_, case_.solver.courant);
}

template class Sanity<float>;
template class Sanity<double>;

}  // namespace groundswell::quake
