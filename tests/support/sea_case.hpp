#pragma once

#include <string>
#include <vector>

#include "groundswell/sea/case.hpp"
#include "groundswell/sea/run_model.hpp"
#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::test {

/// A case of the sea, read as the program reads it.
inline sea::Case read_sea_case(const std::string& file, const simulation::CaseOverrides& overrides = {},
                               std::vector<simulation::KeyRecord>* keys = nullptr) {
    const simulation::ReadCase read = simulation::read_case(file, overrides, {sea::model_kind()});
    if (keys != nullptr) *keys = read.keys;
    return dynamic_cast<const sea::Case&>(*read.run);
}

}  // namespace groundswell::test
