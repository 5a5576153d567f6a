#include "groundswell/sea/source/source_package.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/source/device/exchange/exchange_kernel.hpp"
#include "groundswell/sea/source/device/source_kernel.hpp"
#include "groundswell/sea/source/terms/list.hpp"

namespace groundswell::sea {

namespace {

bool all_finite(const Real* values, int count) {
    // x - x is 0 for finite x and NaN otherwise.
    Real sum = 0;
    for (int i = 0; i < count; ++i) sum += values[i] - values[i];
    return sum == Real(0);
}

}  // namespace

SourcePackage::SourcePackage(const SpectralGrid& grid, const PhysicsOptions& options)
    : grid_(std::make_shared<const LaneGrid>(grid)),
      step_(options),
      density_{options[common::water_density], options[common::air_density]} {
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
    w.state = &state;
    step_.load(RegisterTeam{}, *grid_, action, conditions, step, w.memory());
}

void SourcePackage::meet_air(SourceWorkspace& workspace) const {
    if (wind_ != nullptr) wind_->meet_air(workspace.sea, *workspace.state, workspace);
}

void SourcePackage::evaluate(int term, SourceWorkspace& workspace) const {
    SourceSum sum = workspace.sum();
    terms_[term]->add(workspace.sea, sum, workspace);
}

bool SourcePackage::finish(Real* action, SourceWorkspace& w) const {
    const CellMemory memory = w.memory();
    step_.advance(RegisterTeam{}, *grid_, memory);
    return step_.store(RegisterTeam{}, *grid_, action, memory);
}

bool SourcePackage::integrate_cell(Real* action, const CellConditions& conditions, Real step,
                                   SourceState& state, SourceWorkspace& w) const {
    w.state = &state;
    return step_.integrate(RegisterTeam{}, *grid_, action, conditions, step, w.memory(),
                           [&] { evaluate_all(w); });
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

SourceForm SourcePackage::device_form() const {
    SourceForm form{{*grid_, step_, {}}, density_, exec::run_block<SourceStep>, exchange_on_processor()};
    for (const auto& term : terms_)
        base::require(term->give_formula(form.block.terms), "source terms on a device", "terms", term->name(),
                      "terms that a device can compute, or device = \"cpu\"");
    return form;
}

std::string_view SourcePackage::blame(const Real* action, const CellConditions& conditions, Real step,
                                      const SourceState& state, SourceWorkspace& w) const {
    // What integrate_cell did, up to the part that went wrong.
    SourceState now = state;
    load(action, conditions, step, now, w);
    evaluate_all(w);
    const int parts = step_.parts(w.sea, step_.advance(RegisterTeam{}, *grid_, w.memory()));
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
    const auto over_bins = [&](const std::vector<Real>& values) {
        return sum_over_bins(RegisterTeam{}, g, values.data(), w.column_a.data());
    };
    for (int term = 0; term < terms(); ++term) {
        evaluate(term, w);
        bool finite = all_finite(w.decay.data(), g.frequencies);
        for (int i = 0; i < g.frequencies; ++i) {
            const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
            finite = finite && all_finite(w.source.data() + row, g.directions) &&
                     all_finite(w.derivative.data() + row, g.directions);
        }
        if (!finite) return term_name(term);
        const double before_all = over_bins(before);
        for (std::size_t bin = 0; bin < before.size(); ++bin) {
            added[bin] = std::max(Real(0), w.source.data()[bin] - before[bin]);
            before[bin] = w.source.data()[bin];
        }
        const double moved = over_bins(added);
        const double gain = over_bins(before) - before_all;
        if (gain > std::max(most, 0.01 * moved) || (most == 0.0 && moved > most_moved)) {
            strongest = term_name(term);
            if (gain > 0.01 * moved) most = gain;
            most_moved = moved;
        }
    }
    step_.advance(RegisterTeam{}, g, w.memory());
    continue_tail(RegisterTeam{}, g, w.sea, w.energy.data());
    if (!all_finite(w.energy.data(), g.padded_bins())) return "integration";
    const double variance = sum_over_bins(RegisterTeam{}, g, w.energy.data(), w.column_a.data());
    return variance < largest_variance ? std::string_view() : strongest;
}

}  // namespace groundswell::sea
