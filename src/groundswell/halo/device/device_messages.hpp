#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/halo/device/routes.hpp"
#include "groundswell/halo/device/rows_kernel.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// The exchange of a field in the memory of a device. What travels is brought together there, and goes to each neighbour by the route
/// that was found for it. It is done beside all that the stream of the field does; send() is to be called when the work has been asked for that
/// messages are to be hidden behind. Values are brought, not added.
class DeviceMessages final : public Transport {
public:
    /// `wanted`: of one field, and its device. Throws a Refusal on all ranks where the route that `options` name is not there for
    /// all neighbours, or the device has too little memory. Collective.
    DeviceMessages(const Wanted& wanted, const ExchangeOptions& options);
    ~DeviceMessages() override;

    std::string_view name() const override { return name_; }
    void send() override;

private:
    void begin() override;
    bool progress() override;
    void end() override;

    bool is_alone() const { return sources_.empty() && destinations_.empty(); }
    TravellingIds ids(const exec::DeviceArray<MessageRows>& of) const;
    /// Words of a field from the first to behind the last id that travels one way.
    struct Reach {
        std::int64_t begin = 0, end = 0;
    };
    Reach reach_of(std::span<const MessageRows> rows) const;
    template <class AnyWord>
    static exec::ArrayPart part_of(std::span<AnyWord> field, const Reach& reach);
    void send_through_host();
    void send_granted(bool all);
    std::byte* sent_there(std::size_t k);
    std::byte* received_there(std::size_t k);
    template <class Kernel>
    void launch(const char* name, const void* entry, const exec::DeviceArray<MessageRows>& of, Kernel kernel,
                exec::ArrayPart of_field);

    exec::Device& device_;
    const exec::Stream of_field_, own_;
    std::vector<exec::Stream> copies_;
    std::string name_;
    parallel::Communicator comm_;
    std::int64_t stride_ = 0;
    std::int32_t rows_ = 0, row_words_ = 0;
    std::vector<MessageRows> rows_sent_, rows_received_;  // until the device has them
    const Reach reach_sent_, reach_received_;
    exec::DeviceArray<MessageRows> sent_, received_;
    exec::DeviceArray<Word> to_send_, to_receive_;
    std::optional<exec::HostBuffer> sent_here_, received_here_;  // where some go through the host
    std::vector<Way> sources_, destinations_;                    // [message]
    // [message] Of the messages themselves, or of word that they are in place; and of word that one may come.
    std::vector<MPI_Request> receives_, sends_, grants_given_, grants_;
    bool sent_off_ = true;
    std::vector<bool> gone_;  // [destination]
};

}  // namespace groundswell::halo
