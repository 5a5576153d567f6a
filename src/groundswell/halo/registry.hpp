#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/halo/choice.hpp"
#include "groundswell/halo/transport.hpp"

namespace groundswell::exec {
// Known to who has fields on one: exec/device/device.hpp.
class Device;
enum class Stream : int;
}  // namespace groundswell::exec

namespace groundswell::halo {

/// Options of a model's halo exchanges.
enum class Ranks {
    in_step,      ///< each in the same order, that of all starts and finishes
    out_of_step,  ///< each in an order of its own, as its neighbours' values come: clusters at rates of their own
};

/// Where the memory of fields is a device's: all that changes them there is asked of this stream.
struct FieldsOnDevice {
    exec::Device* device = nullptr;
    exec::Stream stream = {};
};

/// An exchange of a model: of which ids, and how their values are stored. The trials of `auto` exchange
/// `fields`, one for each channel as in Transport::start, and overwrite needed values (where values are added,
/// owned ones). They should be the fields that will be exchanged, as only they tell how fast their memory is;
/// without any (on all ranks), own memory is used.
struct Wanted {
    std::shared_ptr<const Plan> plan;
    std::vector<Channel> channels;  // all with an addition, or none
    std::vector<void*> fields = {};
    std::optional<FieldsOnDevice> device = {};  // there is no choice of a transport then
};

/// Names that make_transport knows, `auto` last.
std::vector<std::string_view> transport_names();

/// Throws base::Refusal with the known names, and the nearest one, if `name` is not among them. `where` is
/// the file (or command line) that the name stands in, `key` what it stands for there. Not collective, so
/// that a case file can be checked anywhere.
void require_transport_name(std::string_view name, std::string_view where = "halo",
                            std::string_view key = "transport");

/// Whether make_transport gives this transport here; where not, why, and what to use instead. `auto` always
/// is. Transports in lockstep (the neighbour collectives, and those that receive or send only when they are
/// finished) serve no ranks that are out of step. Throws base::Refusal on all ranks if the name is unknown.
/// Collective.
Availability availability(std::string_view name, const Plan& plan, Ranks ranks = Ranks::in_step,
                          bool adds = false);

/// A transport by name; throws base::Refusal on all ranks if it is unknown or not available. `shared` gives
/// `posted`, with a warning, where /dev/shm has no room.
///
/// With `auto` each is tried, with and without the channels' selections, and the fastest on the slowest rank
/// is taken on all ranks; rank 0 logs the times. Collective.
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          std::vector<Channel> channels, std::span<void* const> fields = {});
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel);
std::unique_ptr<Transport> make_transport(std::string_view name, std::shared_ptr<const Plan> plan,
                                          Channel channel, void* field);

/// A transport for each of several exchanges, of plans of one communicator. `auto` tries all of them together
/// and takes one for all: that takes no longer than for one.
Transports make_transports(std::string_view name, std::span<const Wanted> wanted,
                           Ranks ranks = Ranks::in_step);

/// Makes the choice of `auto` from what was found of each transport. Collective.
Choice choose_transports(std::span<const Wanted> wanted, Ranks ranks = Ranks::in_step);

}  // namespace groundswell::halo
