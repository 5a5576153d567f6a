#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/cli/proxy/proxy_model.hpp"

namespace groundswell::cli {

/// The result of `groundswell proxy` for people, without the machine's limits.
std::string proxy_table(const nlohmann::json& result, const ProxyUnits& units);

}  // namespace groundswell::cli
