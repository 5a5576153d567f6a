#include "groundswell/gridded/time_steps.hpp"

#include <algorithm>
#include <limits>

namespace groundswell::gridded {

namespace {

constexpr double longer = 1.5;  // times another: a time may be missing
constexpr double alike = 1.2;
constexpr std::size_t enough_steps = 3;  // to tell what is usual in a file

std::vector<double> steps_of(std::span<const double> times) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
    return steps;
}

/// [steps] whether no time is missing there.
std::vector<char> sound_steps(std::span<const double> steps) {
    const std::size_t n = steps.size();
    const double none = std::numeric_limits<double>::infinity();
    std::vector<double> after(n + 1, none);  // the shortest from there on
    for (std::size_t i = n; i-- > 0;) after[i] = std::min(after[i + 1], steps[i]);
    std::vector<char> sound(n);
    double before = none;
    for (std::size_t i = 0; i < n; ++i) {
        const auto stays_beside = [&](std::size_t j) {
            return j < n && std::max(steps[i], steps[j]) <= alike * std::min(steps[i], steps[j]);
        };
        const bool shorter_before = steps[i] > longer * before,
                   shorter_after = steps[i] > longer * after[i + 1];
        const bool stays = stays_beside(i + 1) || (i > 0 && stays_beside(i - 1));
        sound[i] = (!shorter_before && !shorter_after) || (shorter_before != shorter_after && stays);
        before = std::min(before, steps[i]);
    }
    return sound;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::optional<Gap> find_gap(std::span<const TimeOfSource> all, std::span<const std::vector<double>> own,
                            std::size_t begin, std::size_t end, double longest) {
    if (all.size() < 2) return {};
    std::vector<double> times;
    for (const TimeOfSource& each : all) times.push_back(each.milliseconds);
    const std::vector<double> steps = steps_of(times);
    const std::vector<char> sound = sound_steps(steps);
    std::vector<std::vector<double>> own_steps;
    std::vector<std::vector<char>> own_sound;
    for (const std::vector<double>& of_file : own) {
        own_steps.push_back(steps_of(of_file));
        own_sound.push_back(sound_steps(own_steps.back()));
    }
    // The step of a file after one of its times, or before it; 0: none.
    const auto step_of = [&](std::size_t source, std::size_t i) {
        return i < own_steps[source].size() ? own_steps[source][i] : 0.0;
    };
    const auto is_sound = [&](std::size_t i) {
        const TimeOfSource &from = all[i], &to = all[i + 1];
        if (longest > 0.0) return steps[i] <= longest;
        if (from.source == to.source)
            return own_steps[from.source].size() >= enough_steps ? own_sound[from.source][from.step] != 0
                                                                 : sound[i] != 0;
        const double around = std::max({step_of(from.source, from.step), step_of(from.source, from.step - 1),
                                        step_of(to.source, to.step)});
        return sound[i] != 0 || steps[i] <= longer * around;
    };
    for (std::size_t i = begin; i + 1 < end; ++i)
        if (!is_sound(i)) return Gap{i, median(steps)};
    return {};
}

}  // namespace groundswell::gridded
