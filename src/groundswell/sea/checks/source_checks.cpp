#include "groundswell/sea/checks/source_checks.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "groundswell/sea/source/plain.hpp"

namespace groundswell::sea {

namespace {

// Roundings of elementary functions, powers and differences of like numbers.
constexpr double of_functions = 2000.0 * std::numeric_limits<Real>::epsilon();
// A share of a sea's energy lost in a step: fast forms leave out what is less.
constexpr double unfelt = 1e-8;

}  // namespace

std::vector<exec::KernelCheck> source_checks(const SourcePackage& package) {
    std::vector<exec::KernelCheck> checks;
    for (int term = 0; term < package.terms(); ++term)
        checks.push_back({std::string(package.term_name(term)), of_functions});
    checks.push_back({"source", of_functions});
    return checks;
}

void check_source_terms(const SourcePackage& package, const PhysicsOptions& options, const Real* action,
                        const CellConditions& conditions, double seconds, SourceState state,
                        SourceWorkspace& space, std::vector<exec::KernelCheck>& checks) {
    const LaneGrid& g = package.grid();
    const SourceState before = state;
    package.load(action, conditions, static_cast<Real>(seconds), state, space);
    package.meet_air(space);
    for (int term = 0; term < package.terms(); ++term) {
        const SourceSum sum = space.sum();
        // By itself: in the sum with others their roundings would hide it.
        std::fill_n(sum.source, g.padded_bins(), Real(0));
        std::fill_n(sum.decay, g.frequencies, Real(0));
        package.evaluate(term, space);
        const auto plain = plain_term(package.term_name(term), g, options, space.sea);
        if (!plain) continue;
        exec::KernelCheck& check = checks[term];
        for (int i = 0; i < g.frequencies; ++i) {
            const double expected = seconds * plain->decay[i], found = seconds * sum.decay[i];
            const bool felt = !(expected < unfelt && found < unfelt);
            if (felt) check.compare(expected, found);
            for (int j = 0; j < g.directions; ++j)
                check.compare(plain->source[i * g.directions + j], sum.source[i * g.lanes + j]);
        }
        ++check.cells;
    }
    if (options[SourceIntegration::spectrum_limit] > 0.0 || options[SourceIntegration::height_limit] > 0.0)
        return;  // bound the outcome besides
    state = before;
    package.load(action, conditions, static_cast<Real>(seconds), state, space);
    package.meet_air(space);
    for (int term = 0; term < package.terms(); ++term) package.evaluate(term, space);
    const std::vector<double> stepped = plain_step(g, options, space.sea, space.sum());
    std::vector<Real> renewed(static_cast<std::size_t>(g.bins()));
    const int cutoff = space.sea.cutoff;
    package.finish(renewed.data(), space);
    for (int i = 0; i <= cutoff; ++i) {
        for (int j = 0; j < g.directions; ++j) {
            const int bin = i * g.directions + j;
            checks.back().compare(stepped[bin], static_cast<double>(g.sigma[i]) * renewed[bin]);
        }
    }
    ++checks.back().cells;
}

}  // namespace groundswell::sea
