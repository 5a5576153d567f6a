#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/halo/choice.hpp"
#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// Names that make_transport knows, `auto` last.
std::vector<std::string_view> transport_names();

/// Throws base::Refusal with the known names, and the nearest one, if `name` is not among them. `where` is
/// the file (or command line) that the name stands in, `key` what it stands for there. Not collective, so
/// that a case file can be checked anywhere.
void require_transport_name(std::string_view name, std::string_view where = "halo",
                            std::string_view key = "transport");

/// Whether make_transport gives this transport here; where not, why, and what to use instead. `auto` always
/// is. Throws base::Refusal on all ranks if the name is unknown. Collective.
Availability availability(std::string_view name, const Plan& plan);

/// A transport by name; throws base::Refusal on all ranks if it is unknown or not available. `shared` gives
/// `posted`, with a warning, where /dev/shm has no room.
///
/// With `auto` each is tried, with and without the channels' selections, and the fastest on the slowest rank
/// is taken on all ranks; rank 0 logs the times. The trials exchange `fields`, one for each channel as in
/// Transport::start: their needed values are overwritten. They should be the fields that will be exchanged,
/// as only they tell how fast their memory is; without any (on all ranks), own memory is used. Collective.
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          std::vector<Channel> channels, std::span<void* const> fields = {});
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel);
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel, void* field);

/// What `auto` does, with what was found of each transport. Collective.
Choice choose_transport(std::shared_ptr<const Plan> plan, const std::vector<Channel>& channels,
                        std::span<void* const> fields = {});

}  // namespace groundswell::halo
