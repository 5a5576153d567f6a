#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/selection.hpp"
#include "groundswell/parallel/communicator.hpp"

/// The measurement of `groundswell halo`, whatever the ids are of.
namespace groundswell::cli {

struct HaloMeasure {
    std::vector<std::string> transports;  ///< empty: all
    int repeats = 0;                      ///< 0: as many as take a few seconds
    bool quiet = false;
    std::string json;
};

/// base::Refusal for a name that is none of a transport.
void check_transports(const HaloMeasure& options);

/// Data that is exchanged.
struct HaloSubject {
    parallel::Communicator comm;  ///< of the plan
    std::shared_ptr<const halo::Plan> plan;
    std::vector<std::int64_t> ids;  ///< owned, then needed
    std::size_t bytes = 0;          ///< of an id
    std::shared_ptr<const halo::Selection> selection;
    nlohmann::json about;  ///< for the report
};

/// Times all transports, and tells; the exit code. Collective.
int measure_halo(const HaloSubject& subject, const HaloMeasure& options);

}  // namespace groundswell::cli
