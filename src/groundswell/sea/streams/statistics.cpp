#include "groundswell/sea/streams/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"

namespace groundswell::sea {

namespace {

constexpr double not_read = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Statistics::add(const std::string& field, const std::string& statistic, base::Duration every) {
    for (const One& one : all_)
        if (one.field->name == field && one.statistic == statistic && one.every == every) return;
    all_.push_back({&find_field(field), statistic, every, {}});
    all_.back().pairs.assign(static_cast<std::size_t>(owned_), {not_read, not_read});
}

void Statistics::add_to(simulation::State& state, const output::Decomposition& faces) {
    for (One& one : all_) {
        const std::string name =
            fmt::format("{}_{}_{:.15g}s", one.field->name, one.statistic, one.every.seconds());
        const auto add = [&](const std::string& of_it, const std::string& what, double Pair::*part) {
            state.add<double>({of_it, {}, {"nFace"}, {{"long_name", what}}}, faces,
                              one.pairs.empty() ? nullptr : &(one.pairs.front().*part), 2);
            state.variables.back().is_optional = true;
        };
        const std::string what =
            fmt::format("{} of {} since the last record", one.statistic, one.field->name);
        add(name, what + ", as far as it goes", &Pair::first);
        add(name + "_weight", what + ", what it is divided by, or the other component", &Pair::second);
    }
}

void Statistics::start(const simulation::Schedule& schedule) {
    schedule_ = schedule;
    last_ = 0;
    for (One& one : all_) std::ranges::fill(one.pairs, Pair{});
}

void Statistics::resume(const simulation::Schedule& schedule, std::int64_t step,
                        const std::string& case_file) {
    schedule_ = schedule;
    last_ = step;
    for (const One& one : all_) {
        const bool begins = schedule.is_due(one.every, step);
        const bool has = one.pairs.empty() || !std::isnan(one.pairs.front().second);
        base::require(begins || has, case_file, "output.map[].statistic", one.statistic,
                      fmt::format("a restart file with the {} of {} so far, or one of the end of an interval "
                                  "of {}",
                                  one.statistic, one.field->name, base::format_duration(one.every)));
    }
}

void Statistics::take(std::int64_t step) {
    if (all_.empty() || !schedule_.ends_cycle(step)) return;
    Reads reads = Reads::nothing;
    for (One& one : all_) {
        reads = reads | one.field->reads;
        if (last_ == 0 || schedule_.is_due(one.every, last_)) std::ranges::fill(one.pairs, Pair{});
    }
    situations_.of_all(reads);
    for (One& one : all_) take(one);
    last_ = step;
}

void Statistics::take(One& one) {
    const std::vector<CellSituation>& cells = situations_.of_all(one.field->reads);
    const bool bearing = one.field->is_bearing(), mean = one.statistic == "mean",
               highest = one.statistic == "maximum";
    exec::for_each_cell(0, owned_, [&](std::int32_t cell) {
        const float value = one.field->value(cells[cell]);
        if (value == fill_value) return;
        Pair& pair = one.pairs[cell];
        const auto number = static_cast<double>(value);
        if (bearing) {
            pair.first += std::sin(number * base::degree);
            pair.second += std::cos(number * base::degree);
        } else if (mean) {
            pair.first += number;
            pair.second += 1.0;
        } else if (pair.second == 0.0 || (highest ? number > pair.first : number < pair.first)) {
            pair = {number, 1.0};
        }
    });
}

float Statistics::value(const One& one, const Pair& pair) const {
    if (one.field->is_bearing()) {
        if (!(std::hypot(pair.first, pair.second) > 1e-9)) return fill_value;
        return static_cast<float>(bearing_from(std::atan2(-pair.second, -pair.first)));
    }
    if (pair.second == 0.0) return fill_value;
    return static_cast<float>(pair.first / pair.second);
}

void Statistics::give(const std::string& field, const std::string& statistic, base::Duration every,
                      std::vector<float>& values) {
    const auto one = std::ranges::find_if(all_, [&](const One& other) {
        return other.field->name == field && other.statistic == statistic && other.every == every;
    });
    GS_ASSERT(one != all_.end());
    if (last_ == 0) {
        std::ranges::fill(one->pairs, Pair{});
        take(*one);
    }
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = value(*one, one->pairs[c]);
}

std::array<double, 2> Statistics::interval(base::Duration every) const {
    const base::Instant end = schedule_.instant_at(last_);
    const base::Instant begin = last_ == 0 ? end : base::Instant{end.microseconds - every.microseconds};
    return {begin.seconds_since({0}), end.seconds_since({0})};
}

}  // namespace groundswell::sea
