#pragma once

#include <span>

#include "groundswell/halo/exchange.hpp"

namespace groundswell::halo {

/// Transports for the exchanges of a model, of all values or of the selected ones as the options want it; what is
/// left open is decided by trials on the fields. `selected`: as many as `whole`, or none. Collective.
Transports make_transports(const ExchangeOptions& options, std::span<const Wanted> whole,
                           std::span<const Wanted> selected);

}  // namespace groundswell::halo
