#pragma once

#include <memory>
#include <string>
#include <vector>

#include "groundswell/simulation/model.hpp"

namespace groundswell::simulation {

/// A case and its kind.
struct ReadCase {
    std::shared_ptr<Case> run;
    const ModelKind* kind = nullptr;
    std::vector<KeyRecord> keys;    ///< every key with the value it took
    std::vector<Setting> settings;  ///< what the case says itself
};

/// Reads and checks a case: throws base::Refusal for the first key that cannot be used, a model that is none of
/// `kinds` among them. Reads no other file. Not collective.
ReadCase read_case(const std::string& file, const CaseOverrides& overrides,
                   const std::vector<ModelKind>& kinds);

/// Every key that a case of this kind may have, from the very code that reads one.
std::vector<KeyRecord> describe_case(const std::vector<ModelKind>& kinds, const ModelKind& kind);

}  // namespace groundswell::simulation
