// Calls each kernel as a run does, for callgrind to count what it executes (python/counts/kernel_counts.py), and to compare what
// comes out on other processors (python/counts/test_processors.py). Prints who compiled it, then for each call, in their
// order: its name, the bin-steps or element updates that it makes, and three sums of what came out.
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "support/one_cell.hpp"
#include "support/quake/elements_of_box.hpp"
#include "support/sea_propagation_case.hpp"

namespace {

using namespace groundswell;

/// What callgrind can be asked for by the program that it watches (valgrind's header callgrind.h).
enum class Request : unsigned long {
    dump_as = 0x43540003,
    zero = 0x43540001,
    start = 0x43540004,
    stop = 0x43540005
};

/// Turns of a register that leave it as it is tell valgrind to look at `words`. Anywhere else nothing happens.
void ask_callgrind(Request request, const char* name = nullptr) {
#if defined(__x86_64__)
    const volatile unsigned long words[6] = {
        static_cast<unsigned long>(request), reinterpret_cast<unsigned long>(name), 0, 0, 0, 0};
    unsigned long answer = 0;
    asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                 : "+d"(answer)
                 : "a"(&words[0])
                 : "cc", "memory");
#else
    static_cast<void>(request), static_cast<void>(name);
#endif
}

/// Of the magnitudes, and of the values with weights that tell their places apart.
template <class Values>
void print_sums(const Values& values) {
    double magnitude = 0.0, first = 0.0, second = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = static_cast<double>(values[i]), place = static_cast<double>(i);
        magnitude += std::abs(value);
        first += value * std::sin(0.7 * place);
        second += value * std::cos(0.011 * place);
    }
    std::printf("\t%.17g\t%.17g\t%.17g\n", magnitude, first, second);
}

/// `results()`: what the body has made.
template <class Body, class Results>
void count(const std::string& name, double units, const Body& body, const Results& results) {
    ask_callgrind(Request::start);
    ask_callgrind(Request::zero);
    body();
    ask_callgrind(Request::dump_as, name.c_str());
    ask_callgrind(Request::stop);
    std::printf("%s\t%.0f", name.c_str(), units);
    print_sums(results());
}

/// The deep sea between the tropics, with 36 directions and 35 frequencies; with a current that turns and shifts waves; with bins that
/// spread as much as those of a swell of this age, s.
void count_propagation(const char* name, sea::PropagationScheme scheme, bool current = false,
                       double swell_age = 0.0) {
    sea::PropagationOptions options = sea::test::with_scheme(scheme);
    options.swell_age = swell_age;
    options.currents = current;
    sea::test::Case sea(sea::test::patch(12, 12, 50e3, [](double, double) { return 4000.0; }),
                        test::usual_grid(), options);
    if (current) {
        std::vector<sea::CellForcing> water(static_cast<std::size_t>(sea.mesh.total));
        for (std::size_t cell = 0; cell < water.size(); ++cell) {
            water[cell].eastward_current = static_cast<sea::Real>(std::sin(30.0 * sea.mesh.lat[cell]));
            water[cell].northward_current = static_cast<sea::Real>(std::cos(20.0 * sea.mesh.lon[cell]));
        }
        sea.propagator.set_water(water, nullptr);
    }
    sea.fill([](int cell, int f, int d) { return sea::test::noise(cell * 113 + f * 37 + d); });
    const double dt = 0.9 * sea.propagator.longest_step().seconds;
    const auto step = [&] {
        sea.propagator.propagate_cells(0, sea.mesh.owned, sea.next.data(), sea.old.data(), dt);
    };
    step();  // asks for its working memory
    count(name, static_cast<double>(sea.mesh.owned) * sea.grid.bins(), step, [&] { return sea.next; });
}

constexpr double shallow = 25.0;  // m

/// A wind sea of 14 m/s over 25 m of water, whose wind has turned, after a step.
void turn_sea(test::OneCell& cell) {
    sea::fill_wind_sea(cell.grid, {200e3}, 14.0, 0.7, cell.action.data());
    cell.set_wind(14.0, 1.1);
    cell.step(300.0);
}

/// A source step of each package and tuning; that of st4 as it comes stands with its terms.
void count_packages() {
    for (const auto& [package, tuning] :
         {std::pair{"st4", "ww3"}, std::pair{"wam3", "wamdi"}, std::pair{"wam4", "bidlot"},
          std::pair{"wam4", "cycle4"}, std::pair{"st6", "liu"}, std::pair{"st6", "zieger"}}) {
        sea::PhysicsOptions options;
        options.choose(package);
        options.tune(tuning);
        test::OneCell cell(test::usual_grid(), options, shallow);
        turn_sea(cell);
        const std::string name = std::string("source step, ") + package + " " + tuning;
        count(
            name, cell.grid.bins(), [&] { cell.step(300.0); }, [&] { return cell.action; });
    }
}

void count_source_terms() {
    test::OneCell cell(test::usual_grid(), sea::PhysicsOptions{}, shallow);
    turn_sea(cell);
    const double bins = cell.grid.bins();
    const auto sources = [&] {
        std::vector<double> sum;
        for (int f = 0; f < cell.grid.frequencies; ++f)
            for (int d = 0; d < cell.grid.directions; ++d)
                sum.push_back(cell.source(f, d) -
                              cell.workspace.decay[static_cast<std::size_t>(f)] * cell.energy(f, d));
        return sum;
    };
    const auto action = [&] { return cell.action; };
    cell.package->load(cell.action.data(), cell.conditions, 300, cell.state, cell.workspace);
    for (int term = 0; term < cell.package->terms(); ++term) {
        const auto evaluate = [&] {
            if (term == cell.package->wind_term()) cell.package->meet_air(cell.workspace);
            cell.package->evaluate(term, cell.workspace);
        };
        count(std::string(cell.package->term_name(term)), bins, evaluate, sources);
    }
    count(
        "integration", bins, [&] { cell.package->finish(cell.action.data(), cell.workspace); }, action);
    count(
        "source step", bins, [&] { cell.step(300.0); }, action);
}

/// Both halves of an element's step, in batches that are full; of rock or of water.
template <class Real>
void count_elements(int order, int mechanisms, bool water = false) {
    using namespace quake;
    tetra::BoxOptions box;
    box.length = {400.0, 200.0, 200.0};
    box.cubes = {4, 2, 2};
    box.jitter = 0.1;
    auto all = quake::test::elements_of(box, [&](const tetra::Point&) {
        return water ? Material{1000.0, 2.25e9, 0.0} : Material{2700.0, 3.24e10, 3.24e10};
    });
    for (Element& element : all.element)
        for (int m = 0; m < mechanisms; ++m) element.mechanisms.push_back({2.0 * (1 + m), 1e9, 1e9});
    auto elements = quake::test::one_block<Real>(wave_kernels<Real>(order, mechanisms), all);
    for (std::int32_t e = 0; e < elements.size(); ++e)
        for (int q = 0; q < 9; ++q)
            elements.coefficient(e, 1, q) = static_cast<Real>((q < 6 ? 1e6 : 0.1) * (1.0 + 0.1 * q));
    const auto step = static_cast<Real>(quake::test::longest_step(all.element, order));
    const auto update = [&] {
        elements.predict(0, step);
        elements.correct(0);
    };
    const auto state = [&] {
        std::vector<double> values;
        for (std::int32_t e = 0; e < elements.size(); ++e)
            for (int k = 0; k < basis_size(order); ++k)
                for (int q = 0; q < 9; ++q)
                    values.push_back((q < 6 ? 1e-6 : 10.0) * elements.coefficient(e, k, q));
        return values;
    };
    update();
    count("order " + std::to_string(order) + (sizeof(Real) == 4 ? ", float" : ", double") +
              (mechanisms > 0 ? ", " + std::to_string(mechanisms) + " mechanisms" : "") +
              (water ? ", water" : ""),
          elements.size(), update, state);
}

void count_all() {
    exec::set_threads(1);
    count_propagation("upwind", sea::PropagationScheme::upwind);
    count_propagation("second order", sea::PropagationScheme::second_order);
    count_propagation("second order, spreading", sea::PropagationScheme::second_order, false, 43200.0);
    count_propagation("upwind, current", sea::PropagationScheme::upwind, true);
    count_propagation("second order, current", sea::PropagationScheme::second_order, true);
    count_source_terms();
    count_packages();
    for (int order = quake::lowest_order; order <= quake::highest_order; ++order) {
        count_elements<float>(order, 0);
        count_elements<double>(order, 0);
    }
    count_elements<float>(4, 3);
    count_elements<double>(4, 3);
    count_elements<float>(4, 0, true);
    count_elements<double>(4, 0, true);
}

}  // namespace

int main() {
    try {
        exec::instruction_set();  // refuses a level that GROUNDSWELL_ISA names, but the processor lacks
#if defined(__clang__)
        std::printf("clang %d\n", __clang_major__);
#else
        std::printf("GCC %d\n", __GNUC__);
#endif
        count_all();
    } catch (const base::Refusal& refusal) {
        std::fprintf(stderr, "%s\n", refusal.what());
        return 2;
    }
}
