#pragma once

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "groundswell/simulation/report/limit.hpp"

/// Helpers shared by the files that look for the limit of a run.
namespace groundswell::simulation::limits_of_run {

using nlohmann::json;
using Found = std::optional<Limit>;

inline constexpr double least_seconds = 1.0;  // nothing is said of less

inline double number(const json& at, std::string_view pointer, double otherwise = 0.0) {
    const json::json_pointer where{std::string(pointer)};
    return at.contains(where) && at[where].is_number() ? at[where].get<double>() : otherwise;
}

struct Times {
    double start = 0.0, wall = 0.0, all = 0.0;  // s
    double computing = 0.0, most_computing = 0.0;
    double waits = 0.0, late = 0.0,
           messages = 0.0;  // in exchanges; of them for late neighbours, for messages
    double agreement = 0.0;
    explicit Times(const json& result)
        : start(number(result, "/phases/setup/mean")),
          wall(number(result, "/wall_seconds")),
          all(start + wall),
          computing(number(result, "/computation_seconds/mean")),
          most_computing(number(result, "/computation_seconds/max")),
          waits(number(result, "/phases/exchange_wait/mean")),
          agreement(number(result, "/phases/agreement/mean")) {
        const double for_late = number(result, "/exchange/late_seconds/mean"),
                     for_message = number(result, "/exchange/message_seconds/mean");
        if (for_late + for_message > 0.0) late = waits * for_late / (for_late + for_message);
        messages = waits - late;
    }
};

inline std::string percent(double share) {
    return fmt::format("{:.0f} %", 100.0 * share);
}

// The limit that a finding states, as sentences.
inline Limit limit_of(const json& finding, double share) {
    std::string text = finding["message"].get<std::string>(), help = finding["fix"].get<std::string>();
    for (std::string* const sentence : {&text, &help})
        if (!sentence->empty()) (*sentence)[0] = static_cast<char>(std::toupper((*sentence)[0]));
    return {finding["code"].get<std::string>(), text + ".", help + ".", share};
}

/// Registers narrower than the processor has, or kernels that reach a small part of what the machine can do.
Found find_slow_computing(const json& result, const Times& times);

/// Where nothing was in the way: what the time went into.
Limit healthy(const json& result, const Times& times);

}  // namespace groundswell::simulation::limits_of_run
