#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/quake/survey/survey.hpp"

namespace groundswell::cli {

/// Request for a survey of a mesh of tetrahedra.
struct SurveyRequest {
    std::string mesh;
    int order = 4;
    quake::StepLimit step;
    quake::ClusterOptions options;
    int mechanisms = 0;  ///< of rock that attenuates waves: for what memory takes
};

nlohmann::json to_json(const SurveyRequest& request, const quake::Survey& survey);
/// A table for people.
std::string to_text(const SurveyRequest& request, const quake::Survey& survey);

}  // namespace groundswell::cli
