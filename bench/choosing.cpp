// Cost of choosing source terms by a line of the case: the step of a cell by the package that a run has, a list of terms found by their
// names, beside the same code with its terms written into the program. Both are compiled for the same instruction set.
//
// bench_choosing_v4 [ROUNDS]      on a processor with AVX-512; bench_choosing_v3 with AVX2, bench_choosing without
//
// Cells are 36 × 35 bins of an old sea under a wind of 12 m/s, as many as a second-level cache does not hold. In a round all of them are
// stepped by the one and by the other from the same start; a ratio is that of the two times. Both have to end with the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/source/device/source_kernel.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::sea;
using Clock = std::chrono::steady_clock;

#define GROUNDSWELL_TEXT(word) #word
#define GROUNDSWELL_TEXT_OF(word) GROUNDSWELL_TEXT(word)
constexpr std::string_view own_level = GROUNDSWELL_TEXT_OF(GROUNDSWELL_KERNEL_LEVEL);

constexpr double depth = 4000.0;
constexpr Real step = 300;
constexpr int cells = 512;

/// The terms of a package, in its order, the wind input first. Each is a function of its own: all in one are slower.
template <class Wind, class... Others>
struct WrittenPackage {
    explicit WrittenPackage(const SourceForm& form) : form_(form.block) {}

    bool integrate_cell(Real* action, const CellConditions& conditions, SourceState& state,
                        SourceWorkspace& w) const {
        w.state = &state;
        const CellMemory m = w.memory();
        return form_.cell_step.integrate(RegisterTeam{}, form_.grid, action, conditions, step, m, [&] {
            meet_air(m);
            add<Wind>(m);
            (add<Others>(m), ...);
        });
    }

private:
    [[gnu::noinline]] void meet_air(const CellMemory& m) const {
        static_cast<const Wind&>(form_.terms).meet_air(RegisterTeam{}, form_.grid, *m.sea, *m.state, m.work);
    }
    template <class Term>
    [[gnu::noinline]] void add(const CellMemory& m) const {
        static_cast<const Term&>(form_.terms).add(RegisterTeam{}, form_.grid, *m.sea, m.sum, m.work);
    }

    CellBlock form_;
};

using St4 = WrittenPackage<terms::WindInputFormula, terms::LinearGrowthFormula, terms::WhitecappingFormula,
                           terms::FourWaveFormula, terms::BottomFrictionFormula, terms::DepthBreakingFormula>;
using Wam4 =
    WrittenPackage<terms::WindInputFormula, terms::LinearGrowthFormula, terms::WhitecappingSteepnessFormula,
                   terms::FourWaveFormula, terms::BottomFrictionFormula, terms::DepthBreakingFormula>;

struct Sea {
    explicit Sea(const SpectralGrid& grid_)
        : grid(grid_), wave_number(grid.frequencies), group_speed(wave_number) {
        for (int f = 0; f < grid.frequencies; ++f) {
            const double k = sea::wave_number(grid.sigma[f], depth);
            wave_number[f] = static_cast<Real>(k);
            group_speed[f] = static_cast<Real>(sea::group_speed(grid.sigma[f], k, depth));
        }
        conditions = {12,
                      std::cos(Real(0.3)),
                      std::sin(Real(0.3)),
                      static_cast<Real>(depth),
                      wave_number.data(),
                      group_speed.data()};
    }

    SpectralGrid grid;
    std::vector<Real> wave_number, group_speed;
    CellConditions conditions;
};

struct Cells {
    std::vector<Real> action;
    std::vector<SourceState> states;
};

/// All cells once; seconds.
template <class Step>
double time_of(Cells& now, std::size_t stride, const Step& one_step) {
    const auto begin = Clock::now();
    for (int cell = 0; cell < cells; ++cell)
        if (!one_step(now.action.data() + static_cast<std::size_t>(cell) * stride, now.states[cell]))
            std::abort();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

template <class Written>
void compare(const Sea& sea, const std::string& name, const std::string& tuning, int rounds) {
    PhysicsOptions options;
    options.choose(name);
    options.tune(tuning);
    const auto chosen = kernel_set().make_source_package(sea.grid, options);
    const Written written(chosen->device_form());
    SourceWorkspace w = chosen->make_workspace();
    const auto by_choice = [&](Real* action, SourceState& state) {
        return chosen->integrate_cell(action, sea.conditions, step, state, w);
    };
    const auto by_program = [&](Real* action, SourceState& state) {
        return written.integrate_cell(action, sea.conditions, state, w);
    };

    // Two days of one sea; a cell differs from the next by its height.
    Cells start{std::vector<Real>(cells * sea.grid.stride()), std::vector<SourceState>(cells)};
    std::vector<Real> old_sea(sea.grid.stride(), Real(1e-6));
    SourceState state;
    for (int i = 0; i < 576; ++i)
        if (!by_choice(old_sea.data(), state)) std::abort();
    for (int cell = 0; cell < cells; ++cell) {
        const Real share = Real(1) - Real(0.2) * static_cast<Real>(cell) / cells;
        std::ranges::transform(old_sea,
                               start.action.begin() + cell * static_cast<std::ptrdiff_t>(sea.grid.stride()),
                               [&](Real bin) { return share * bin; });
        start.states[cell] = state;
    }

    std::vector<double> ratios, chosen_times, written_times;
    for (int round = 0; round < rounds; ++round) {
        Cells a = start, b = start;
        const bool first = round % 2 == 0;
        double of_choice = first ? time_of(a, sea.grid.stride(), by_choice) : 0.0;
        const double of_program = time_of(b, sea.grid.stride(), by_program);
        if (!first) of_choice = time_of(a, sea.grid.stride(), by_choice);
        if (std::memcmp(a.action.data(), b.action.data(), a.action.size() * sizeof(Real)) != 0) {
            fmt::print(stderr, "bench_choosing: error: {}, {}: the two do not end with the same bits\n", name,
                       tuning);
            std::exit(1);
        }
        chosen_times.push_back(of_choice / cells);
        written_times.push_back(of_program / cells);
        ratios.push_back(of_choice / of_program);
    }
    fmt::print("{:16}{:12.2f}{:12.2f}{:10.3f}{:10.3f}{:10.3f}\n", name + ", " + tuning,
               1e6 * median(chosen_times), 1e6 * median(written_times), median(ratios),
               *std::ranges::min_element(ratios), *std::ranges::max_element(ratios));
}

}  // namespace

int main(int arguments, char** argument) {
    const int rounds = arguments > 1 ? std::atoi(argument[1]) : 41;
    if (rounds < 1) {
        fmt::print(stderr, "bench_choosing: error: ROUNDS = {}: expected a number above 0\n", argument[1]);
        return 2;
    }
    if (exec::name_of(exec::instruction_set()) != own_level) {
        fmt::print(stderr,
                   "bench_choosing: error: kernels for {}: expected {}, for which this program is compiled\n",
                   exec::name_of(exec::instruction_set()), own_level);
        return 2;
    }
    const Sea sea({35, 36, 0.04177, 1.1});
    fmt::print("{:16}{:>12}{:>12}{:>10}{:>10}{:>10}   {}\n", "package, tuning", "chosen, us", "written, us",
               "ratio", "least", "most", exec::name_of(exec::instruction_set()));
    compare<St4>(sea, "st4", "ecwam", rounds);
    compare<St4>(sea, "st4", "ww3", rounds);
    compare<Wam4>(sea, "wam4", "bidlot", rounds);
    return 0;
}
