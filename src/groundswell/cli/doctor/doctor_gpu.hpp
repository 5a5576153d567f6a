#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace groundswell::cli {

/// GPUs of this process's host, with the memory node that each is next to: one object for each, or why there are none. Not collective.
nlohmann::json look_at_gpus();
/// The same for people, in lines.
std::string describe_gpus(const nlohmann::json& gpus);

}  // namespace groundswell::cli
