#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/simulation/report.hpp"

namespace groundswell::simulation {

struct Report::Content {
    nlohmann::json json = nlohmann::json::object();
    std::string lines;
};

}  // namespace groundswell::simulation
