#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report.hpp"

namespace groundswell::simulation {

struct Report::Content {
    nlohmann::json json = nlohmann::json::object();
    std::string lines;
};

inline nlohmann::json statistic_json(const parallel::Statistic& statistic) {
    return {{"min", statistic.min}, {"mean", statistic.mean}, {"max", statistic.max}};
}

}  // namespace groundswell::simulation
