#include "groundswell/sea/source/source_package.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/terms/list.hpp"

namespace groundswell::sea {

namespace {

bool all_finite(const Real* values, int count) {
    // x - x is 0 for finite x and NaN otherwise.
    Real sum = 0;
    for (int i = 0; i < count; ++i) sum += values[i] - values[i];
    return sum == Real(0);
}

// Σ of a row over directions.
Real row_sum(const LaneGrid& g, const Real* row) {
    lanes::RowSum sum;
    const int used = round_up(g.directions, lanes::width);
    lanes::with_count(used, [&]<class Count>(Count) {
        for (int n = 0; n < Count::of(used); ++n) {
            const int j = n * lanes::width;
            sum.add(j, lanes::within(j, g.directions, lanes::load(row + j)));
        }
    });
    return sum.total();
}

// ∬ of the bins' values over frequency and direction, without the tail beyond the last frequency.
double sum_over_bins(const LaneGrid& g, const Real* values) {
    double sum = 0.0;
    for (int i = 0; i < g.frequencies; ++i)
        sum +=
            static_cast<double>(g.width[i]) * row_sum(g, values + static_cast<std::ptrdiff_t>(i) * g.lanes);
    return sum * g.direction_width;
}

}  // namespace

SourcePackage::SourcePackage(const SpectralGrid& grid, const PhysicsOptions& options)
    : grid_(std::make_shared<const LaneGrid>(grid)),
      integration_(options),
      spectrum_limit_(options[SourceIntegration::spectrum_limit]),
      height_limit_(options[SourceIntegration::height_limit]) {
    const std::vector<terms::SourceTermKind> known = terms::list();
    for (const std::string& name : options.terms) {
        const auto found = std::ranges::find(known, name, &terms::SourceTermKind::name);
        GS_ASSERT(found != known.end());
        append(found->make(grid_, options));
    }
}

void SourcePackage::append(std::unique_ptr<SourceTerm> term) {
    if (const auto* wind = dynamic_cast<const WindTerm*>(term.get())) {
        GS_ASSERT(wind_ == nullptr);
        wind_ = wind;
        wind_term_ = terms();
    }
    terms_.push_back(std::move(term));
}

SourceWorkspace SourcePackage::make_workspace() const {
    std::size_t scratch = 0;
    for (const auto& term : terms_) scratch = std::max(scratch, term->scratch_size());
    return SourceWorkspace(*grid_, scratch);
}

void SourcePackage::load(const Real* action, const CellConditions& conditions, Real step, SourceState& state,
                         SourceWorkspace& w) const {
    const LaneGrid& g = *grid_;
    for (int i = 0; i < g.frequencies; ++i) {
        w.wave_number[i] = conditions.wave_number[i];
        w.group_speed[i] = conditions.group_speed[i];
        w.inverse_phase_speed[i] = conditions.wave_number[i] / g.sigma[i];
        w.decay[i] = Real(0);
    }
    for (int i = 0; i < g.frequencies; ++i) {
        const Real* __restrict from = action + static_cast<std::ptrdiff_t>(i) * g.directions;
        Real* __restrict to = w.energy.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real sigma = g.sigma[i];
#pragma omp simd
        for (int j = 0; j < g.directions; ++j) to[j] = from[j] * sigma;
        w.row_energy[i] = row_sum(g, to) * g.direction_width;
    }
    Real* __restrict source = w.source.data();
    Real* __restrict derivative = w.derivative.data();
#pragma omp simd
    for (int bin = 0; bin < g.padded_bins(); ++bin) {
        source[bin] = Real(0);
        derivative[bin] = Real(0);
    }

    SeaCell& sea = w.sea;
    sea.energy = w.energy.data();
    sea.row_energy = w.row_energy.data();
    sea.wave_number = w.wave_number.data();
    sea.group_speed = w.group_speed.data();
    sea.inverse_phase_speed = w.inverse_phase_speed.data();
    sea.depth = conditions.depth;
    sea.step = step;
    sea.wind_speed = conditions.wind_speed;
    sea.wind_x = std::cos(conditions.wind_direction);
    sea.wind_y = std::sin(conditions.wind_direction);
    find_means(w);
    // What holds unless a wind input finds otherwise.
    sea.friction_velocity = std::max(state.friction_velocity, Real(1e-3));
    sea.windsea_mean_frequency = Real(0);
    sea.cutoff = g.frequencies - 1;
    sea.cutoff_part = Real(0);
    sea.state = w.state = &state;
}

void SourcePackage::find_means(SourceWorkspace& w) const {
    const LaneGrid& g = *grid_;
    const int last = g.frequencies - 1;
    // Beyond the last frequency E ∝ f⁻⁵: ∫E df = E f/4, ∫E/f df = E/5, ∫E f df = E f²/3; k ∝ f² there.
    const double end = w.row_energy[last], highest = g.frequency[last];
    const double root = std::sqrt(static_cast<double>(w.wave_number[last]));
    double variance = 0.25 * highest * end, period = 0.2 * end, first = highest * highest * end / 3.0;
    double length = 0.2 * highest * end / root;
    for (int i = 0; i <= last; ++i) {
        const double part = static_cast<double>(g.width[i]) * w.row_energy[i];
        variance += part;
        period += part / g.frequency[i];
        first += part * g.frequency[i];
        length += part / std::sqrt(static_cast<double>(w.wave_number[i]));
    }
    SeaCell& sea = w.sea;
    const bool waves = variance > 1e-30;
    sea.variance = static_cast<Real>(variance);
    sea.mean_frequency = static_cast<Real>(waves ? variance / period : highest);
    sea.first_moment_frequency = static_cast<Real>(waves ? first / variance : highest);
    sea.mean_wave_number = static_cast<Real>(waves ? variance * variance / (length * length) : root * root);
}

void SourcePackage::meet_air(SourceWorkspace& workspace) const {
    if (wind_ != nullptr) wind_->meet_air(workspace.sea, *workspace.state, workspace);
}

void SourcePackage::evaluate(int term, SourceWorkspace& workspace) const {
    SourceSum sum = workspace.sum();
    terms_[term]->add(workspace.sea, sum, workspace);
}

bool SourcePackage::finish(Real* action, SourceWorkspace& w) const {
    integration_.advance(*grid_, w.sea, w.sum(), w.energy.data());
    return store(action, w);
}

bool SourcePackage::store(Real* action, SourceWorkspace& w) const {
    const LaneGrid& g = *grid_;
    Real* __restrict energy = w.energy.data();
    if (spectrum_limit_ > 0.0) bound_spectrum(g, spectrum_limit_, energy);
    continue_tail(g, w.sea, energy);
    const SourceState& state = *w.sea.state;
    const bool sane =
        std::isfinite(state.friction_velocity + state.roughness + state.wave_stress_x + state.wave_stress_y);
    const double variance = sum_over_bins(g, energy);
    if (!sane || !(variance < largest_variance)) return false;
    const double highest = height_limit_ * w.sea.depth / 4.0;
    if (height_limit_ > 0.0 && variance > highest * highest) {
        const Real kept = static_cast<Real>(highest * highest / variance);
        for (int bin = 0; bin < g.padded_bins(); ++bin) energy[bin] *= kept;
    }
    for (int i = 0; i < g.frequencies; ++i) {
        const Real* __restrict from = energy + static_cast<std::ptrdiff_t>(i) * g.lanes;
        Real* __restrict to = action + static_cast<std::ptrdiff_t>(i) * g.directions;
        const Real inverse = Real(1) / g.sigma[i];
#pragma omp simd
        for (int j = 0; j < g.directions; ++j) to[j] = from[j] * inverse;
    }
    return true;
}

bool SourcePackage::integrate_cell(Real* action, const CellConditions& conditions, Real step,
                                   SourceState& state, SourceWorkspace& workspace) const {
    const SourceState before = state;
    load(action, conditions, step, state, workspace);
    evaluate_all(workspace);
    const SourceIntegration::Change change =
        integration_.advance(*grid_, workspace.sea, workspace.sum(), workspace.energy.data());
    const int parts = integration_.parts(workspace.sea, change);
    if (parts == 1) {
        if (store(action, workspace)) return true;
        state = before;
        return false;
    }
    // Once more, and in parts.
    state = before;
    std::copy(action, action + grid_->bins(), workspace.whole.data());
    for (int part = 0; part < parts; ++part) {
        if (integrate_part(action, conditions, step / static_cast<Real>(parts), state, workspace)) continue;
        std::copy(workspace.whole.data(), workspace.whole.data() + grid_->bins(), action);
        state = before;
        return false;
    }
    return true;
}

bool SourcePackage::integrate_part(Real* action, const CellConditions& conditions, Real step,
                                   SourceState& state, SourceWorkspace& workspace) const {
    load(action, conditions, step, state, workspace);
    evaluate_all(workspace);
    return finish(action, workspace);
}

void SourcePackage::evaluate_all(SourceWorkspace& workspace) const {
    meet_air(workspace);
    for (int term = 0; term < terms(); ++term) evaluate(term, workspace);
    ++workspace.evaluations;
}

std::string_view SourcePackage::blame(const Real* action, const CellConditions& conditions, Real step,
                                      const SourceState& state, SourceWorkspace& w) const {
    // What integrate_cell did, up to the part that went wrong.
    SourceState now = state;
    load(action, conditions, step, now, w);
    evaluate_all(w);
    const int parts =
        integration_.parts(w.sea, integration_.advance(*grid_, w.sea, w.sum(), w.energy.data()));
    std::vector<Real> sea(action, action + grid_->bins());
    now = state;
    for (int part = 1; part < parts; ++part) {
        const std::vector<Real> sea_before = sea;
        const SourceState before = now;
        if (integrate_part(sea.data(), conditions, step / static_cast<Real>(parts), now, w)) continue;
        return blame_part(sea_before.data(), conditions, step / static_cast<Real>(parts), before, w);
    }
    return blame_part(sea.data(), conditions, step / static_cast<Real>(parts), now, w);
}

std::string_view SourcePackage::blame_part(const Real* action, const CellConditions& conditions, Real step,
                                           const SourceState& state, SourceWorkspace& w) const {
    const LaneGrid& g = *grid_;
    SourceState scratch = state;
    load(action, conditions, step, scratch, w);
    if (!all_finite(w.energy.data(), g.padded_bins())) return "action";
    if (!(w.sea.variance < largest_variance)) return "action";
    meet_air(w);
    if (!std::isfinite(scratch.friction_velocity)) return term_name(wind_term_);
    std::string_view strongest = "integration";
    // The largest net gain; if no term adds on the whole, the largest transfer into some bins.
    double most = 0.0, most_moved = 0.0;
    std::vector<Real> before(w.source.data(), w.source.data() + g.padded_bins()), added(before.size());
    for (int term = 0; term < terms(); ++term) {
        evaluate(term, w);
        bool finite = all_finite(w.decay.data(), g.frequencies);
        for (int i = 0; i < g.frequencies; ++i) {
            const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
            finite = finite && all_finite(w.source.data() + row, g.directions) &&
                     all_finite(w.derivative.data() + row, g.directions);
        }
        if (!finite) return term_name(term);
        const double before_all = sum_over_bins(g, before.data());
        for (std::size_t bin = 0; bin < before.size(); ++bin) {
            added[bin] = std::max(Real(0), w.source.data()[bin] - before[bin]);
            before[bin] = w.source.data()[bin];
        }
        const double moved = sum_over_bins(g, added.data());
        const double gain = sum_over_bins(g, before.data()) - before_all;
        if (gain > std::max(most, 0.01 * moved) || (most == 0.0 && moved > most_moved)) {
            strongest = term_name(term);
            if (gain > 0.01 * moved) most = gain;
            most_moved = moved;
        }
    }
    integration_.advance(g, w.sea, w.sum(), w.energy.data());
    continue_tail(g, w.sea, w.energy.data());
    if (!all_finite(w.energy.data(), g.padded_bins())) return "integration";
    return sum_over_bins(g, w.energy.data()) < largest_variance ? std::string_view() : strongest;
}

}  // namespace groundswell::sea
