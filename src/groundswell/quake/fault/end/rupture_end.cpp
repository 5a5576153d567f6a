#include "groundswell/quake/fault/end/rupture_end.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/exact_sum.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

// Looks so many times in the time for which nothing may slip.
constexpr double looks = 20.0;

struct Motion {
    double fastest = 0.0;  // m s⁻¹
    parallel::ExactSum moment_rate;
};

Motion motion_of(const Fault& fault) {
    Motion motion;
    for (std::size_t f = 0; f < fault.places().size(); ++f) {
        const FaultPlace& place = fault.places()[f];
        if (!place.mine) continue;
        const auto face = static_cast<std::int32_t>(f);
        for (int p = 0; p < fault.rule().points(); ++p) {
            const double rate = std::hypot(fault.state(face, rate_strike, p), fault.state(face, rate_dip, p));
            motion.fastest = std::max(motion.fastest, rate);
            motion.moment_rate.add(place.mu * 2.0 * fault.rule().place.weight[p] * place.area * rate);
        }
    }
    return motion;
}

}  // namespace

RuptureEndWatch::RuptureEndWatch(MPI_Comm comm, const RuptureEnd& options, double meeting)
    : comm_(comm),
      options_(options),
      meeting_(meeting),
      every_(std::max<std::int64_t>(1, std::llround(options.after / looks / meeting))) {
    std::vector<std::int64_t> rows;
    if (parallel::rank_of(comm) == 0) rows.push_back(0);
    row_ = std::make_unique<const output::Decomposition>(comm, 1, rows);
}

bool RuptureEndWatch::has_ended(const Fault& fault, std::int64_t meetings) {
    if (meetings % every_ != 0) return false;
    fault.bring();
    Motion motion = motion_of(fault);
    const double fastest = parallel::max(comm_, motion.fastest);
    const double rate = parallel::sum(comm_, {&motion.moment_rate, 1}).front();
    known_[largest] = std::max(known_[largest], rate);
    const bool slips = fastest >= options_.slip_rate || rate > options_.moment_rate * known_[largest];
    if (fastest >= options_.slip_rate) known_[begun] = 1.0;
    const double time = static_cast<double>(meetings) * meeting_;
    if (slips || known_[begun] == 0.0)
        known_[since] = -1.0;
    else if (known_[since] < 0.0)
        known_[since] = time;
    return known_[since] >= 0.0 && time - known_[since] >= options_.after;
}

void RuptureEndWatch::add_to(simulation::Report& report, double simulated, bool early) const {
    if (known_[since] < 0.0) return;
    report.set("rupture.quiet_since", known_[since]);
    if (early)
        report.add_line(
            fmt::format("end                at {:.4g} s, as the fault is quiet since {:.4g} s "
                        "(fault.end_after_quiet)",
                        simulated, known_[since]));
}

void RuptureEndWatch::add_to(simulation::State& state) {
    state.dimensions.push_back({"rupture_end", 1, "fault.end_after_quiet"});
    state.dimensions.push_back({"rupture_end_number", numbers, "of fault.end_after_quiet"});
    state.add<double>(
        {"rupture_end",
         {},
         {"rupture_end", "rupture_end_number"},
         {{"long_name", "since when the fault is quiet, its largest moment rate, whether it broke"}}},
        *row_, known_.data(), numbers);
}

void RuptureEndWatch::restore() {
    MPI_Bcast(known_.data(), numbers, MPI_DOUBLE, 0, comm_);
}

}  // namespace groundswell::quake
