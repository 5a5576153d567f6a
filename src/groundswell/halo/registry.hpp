#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// Names that make_transport knows, `auto` last.
std::vector<std::string_view> transport_names();

/// Throws base::Refusal with the known names, and the nearest one, if `name` is not among them. `where` is
/// the file (or command line) that the name stands in. Not collective, so that a case file can be checked
/// anywhere.
void require_transport_name(std::string_view name, std::string_view where = "halo");

/// Whether make_transport gives this transport here; where not, why, and what to use instead. `auto` always
/// is. Throws base::Refusal on all ranks if the name is unknown. Collective.
Availability availability(std::string_view name, const Plan& plan);

/// A transport by name; throws base::Refusal on all ranks if it is unknown or not available. With `auto` each
/// is tried on a few exchanges, and the one whose slowest rank is fastest is taken on all ranks; rank 0 logs
/// the times. Collective.
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          std::vector<Channel> channels);
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel);

/// Best seconds of one exchange on the slowest rank, for each transport. Collective; the same on all ranks.
struct Trial {
    std::string_view name;
    double seconds = 0.0;
};
std::vector<Trial> try_transports(std::shared_ptr<const Plan> plan, const std::vector<Channel>& channels);

}  // namespace groundswell::halo
