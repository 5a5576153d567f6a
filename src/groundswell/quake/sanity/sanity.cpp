#include "groundswell/quake/sanity/sanity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

namespace {

// Ticks of the finest cluster between two looks at the energy, which reads the whole state, at least.
constexpr std::int64_t ticks_between_looks = 4;
constexpr std::int64_t ticks_between_copies = 100;  // where the whole state comes from a device for it
// Share of the most energy that the field held, and of all that it was given, that it may hold without having been given it: the
// work of sources and faults is summed by rules that are not quite those of the waves.
constexpr double tolerated = 0.03;
// The same of which people are told: where nothing acts the scheme only loses energy, but for rounding.
constexpr double told_of_held = 1e-3, told_of_moved = 0.01;
// No ground is known to have moved faster than some tens of metres in a second.
constexpr double fastest_ground = 1000.0;  // m s⁻¹
// Fronts are faster than the stress before them would drive a fault on which it drops everywhere at once.
constexpr double front = 10.0, slow_front = 100.0;  // m s⁻¹
// Inscribed radius over the longest edge: 0.2 of a regular tetrahedron.
constexpr double flat = 0.02;

}  // namespace

template <class Real>
void Sanity<Real>::begin(const Wavefield<Real>& field) {
    double fastest = 0.0;
    for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
        for (int i = 0; i < 3; ++i)
            fastest =
                std::max(fastest, std::abs(static_cast<double>(field.coefficient(cell, 0, Elastic::vx + i))));
    }
    fastest_rock_ = std::max(fastest_ground, 10.0 * parallel::max(comm_, fastest));
    if (const auto* fault = field.fault()) {
        fastest_slip_ = std::max(slow_front, front * fastest_slip(comm_, domain_, *fault));
        creep_ = power_of_creep(comm_, domain_, *fault);
    }
    since_ = field.time();
    at_start_ = last_ = energy_budget(comm_, domain_, field, of_cells_);
    greatest_ = last_.held;
    balance_ = last_.held - last_.given();
}

template <class Real>
void Sanity<Real>::check(const Wavefield<Real>& field, std::int64_t steps) {
    const std::int64_t between = field.is_on_device() ? ticks_between_copies : ticks_between_looks;
    const bool looks = steps % std::max<std::int64_t>(1, between / field.ticks_to_meet()) == 0;
    if (looks) field.fetch_state();
    if (looks || !field.is_on_device()) check_values(field);
    if (field.fault() != nullptr && (looks || !field.is_on_device())) check_slip(field);
    if (looks) check_energy(field);
}

// What is no number anywhere in an element is none in its mean velocity a step later.
template <class Real>
void Sanity<Real>::check_values(const Wavefield<Real>& field) const {
    for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
        double fastest = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double speed = std::abs(static_cast<double>(field.coefficient(cell, 0, Elastic::vx + i)));
            fastest = speed <= fastest ? fastest : speed;  // what is no number stays
        }
        if (fastest <= fastest_rock_) continue;
        if (!std::isfinite(fastest))
            throw base::RunFailure(fmt::format("the wave field is no longer a finite number {}{}",
                                               place_of(cell, field), likely_cause(cell)));
        if (!is_at_source(cell))
            throw base::RunFailure(
                fmt::format("the ground moves at {:.3g} m/s, which no source nearby drives, {}{}", fastest,
                            place_of(cell, field), likely_cause(cell)));
    }
}

template <class Real>
void Sanity<Real>::check_slip(const Wavefield<Real>& field) const {
    const Fault& fault = *field.fault();
    if (fault.law().slip_until != nullptr) return;  // whatever the stress
    fault.bring();
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const FaultPlace& place = fault.places()[f];
        if (!place.mine) continue;
        for (int p = 0; p < fault.rule().points(); ++p) {
            const double rate = fault.state(static_cast<std::int32_t>(f), peak_rate, p);
            if (rate <= fastest_slip_) continue;
            throw base::RunFailure(fmt::format(
                "a fault slips at {:.3g} m/s, more than {:.3g} m/s, which is {:.0f} times what all the "
                "stress on it could drive, {}{}",
                rate, fastest_slip_, front, place_of(place.cell[0], field), likely_cause(place.cell[0])));
        }
    }
}

// Within two elements of those that sources may act in.
template <class Real>
bool Sanity<Real>::is_at_source(std::int32_t cell) const {
    const tetra::Tetrahedron& tetrahedron = domain_.mesh.cell[cell];
    const double reach = 3.0 * std::ranges::max(tetra::edges_of(tetrahedron.place));
    const tetra::Point centre = tetra::centre_of(tetrahedron);
    return std::ranges::any_of(sources_, [&](const Extent& extent) {
        for (int i = 0; i < 3; ++i) {
            if (centre[i] < extent.low[i] - reach || centre[i] > extent.high[i] + reach) return false;
        }
        return true;
    });
}

template <class Real>
std::string Sanity<Real>::place_of(std::int32_t cell, const Wavefield<Real>& field) const {
    const auto& place = domain_.mesh.cell[cell].place[0];
    return fmt::format("in cell {} of {} at {:.6g}, {:.6g}, {:.6g} m (cluster {}) at {:.6g} s",
                       domain_.mesh.row[cell], mesh_, place[0], place[1], place[2],
                       domain_.mesh.group_of(cell), field.time());
}

template <class Real>
std::string Sanity<Real>::likely_cause(std::int32_t cell) const {
    const StepLimit& limit = step_;
    const auto& corners = domain_.mesh.cell[cell].place;
    const double shape =
        tetra::geometry_of(corners).inscribed_radius() / std::ranges::max(tetra::edges_of(corners));
    const double usual = usual_courant(limit.rule);
    if (limit.courant > usual)
        return fmt::format("; solver.courant = {} is more than the usual {}: expected a shorter step",
                           limit.courant, usual);
    if (shape < flat)
        return fmt::format(
            "; the element is flat, its inscribed sphere has {:.2g} of its longest edge: expected a mesh "
            "without such elements, or a solver.courant below {}",
            shape, limit.courant);
    return fmt::format("; a smaller solver.courant than {} may help, or a mesh with smaller elements there",
                       limit.courant);
}

template <class Real>
void Sanity<Real>::check_energy(const Wavefield<Real>& field) {
    before_.swap(of_cells_);
    const EnergyBudget now = energy_budget(comm_, domain_, field, of_cells_);
    moved_ += std::abs(now.sources - last_.sources) + std::abs(now.faults - last_.faults) +
              std::abs(now.spent - last_.spent);
    greatest_ = std::max(greatest_, now.held);
    const double balance = now.held - now.given();
    last_ = now;
    const double excess = balance - balance_;
    if (!std::isfinite(balance))
        judge(field, balance);
    else if (excess > tolerated * (greatest_ + moved_ + creep_ * (field.time() - since_)))
        judge(field, excess);
    else if (!has_told_ &&
             excess > told_of_held * greatest_ + told_of_moved * moved_ + creep_ * (field.time() - since_)) {
        has_told_ = true;
        if (parallel::rank_of(comm_) == 0)
            base::log_warning(
                "energy grows that nothing gives: {:.6g} J at {:.6g} s are {:.3g} J more than sources, "
                "faults and yielding account for; the run may be unstable: a smaller solver.courant than {} "
                "may help",
                now.held, field.time(), excess, step_.courant);
    }
    balance_ = std::min(balance_, balance);
}

// Ends the run, on the rank where the energy has grown most.
template <class Real>
void Sanity<Real>::judge(const Wavefield<Real>& field, double excess) {
    parallel::Located most;
    for (std::int32_t cell = 0; cell < field.cells(); ++cell)
        most = parallel::greater(most, {of_cells_[cell] - before_[cell], domain_.mesh.row[cell]});
    most = parallel::max_located(comm_, most);
    const auto cell = std::ranges::find(domain_.mesh.row, most.id) - domain_.mesh.row.begin();
    if (cell >= field.cells()) return;
    const auto at = static_cast<std::int32_t>(cell);
    const std::string where = place_of(at, field) + likely_cause(at);
    if (!std::isfinite(excess))
        throw base::RunFailure(
            fmt::format("the energy of the wave field is no longer a finite number; {}", where));
    throw base::RunFailure(fmt::format(
        "the wave field holds {:.3g} J, {:.3g} J more than it was given: {:.3g} J at {:.6g} s, since then "
        "{:.3g} J by sources and {:.3g} J by faults; it has grown most {}",
        last_.held, excess, at_start_.held, since_, last_.sources - at_start_.sources,
        last_.faults - at_start_.faults, where));
}

template class Sanity<float>;
template class Sanity<double>;

}  // namespace groundswell::quake
