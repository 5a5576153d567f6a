#pragma once

#include <nlohmann/json.hpp>

#include "groundswell/cli/proxy/proxy_model.hpp"

namespace groundswell::cli {

/// Holds each kernel against its plain form; a Defect on all ranks that names those that are wrong. What was checked: kernels with
/// the largest difference and what is allowed, as parts of the largest value. Collective.
nlohmann::json verify(MPI_Comm comm, ProxyKernels& kernels);

/// A row for each kernel: all ranks work at the same time, the slowest counts. `checks`: from verify(). Collective.
nlohmann::json measure(MPI_Comm comm, ProxyKernels& kernels, const ProxyUnits& units, double units_in_cell,
                       int repeats, const nlohmann::json& checks);

/// Causes that make kernels slower or faster in a step than alone, by name. Collective: the same on every rank.
nlohmann::json differences_of(const ProxyKernels& kernels, const nlohmann::json& rows);

}  // namespace groundswell::cli
