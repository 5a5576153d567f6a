#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// Point to point as `posted`, but with requests made once (MPI_Send_init, MPI_Recv_init) and started in
/// every exchange. Where messages land in the field, a request is bound to the field's address; a model that
/// alternates between a few fields finds the requests of each again.
class Persistent final : public Transport {
public:
    /// Collective.
    Persistent(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    ~Persistent() override;
    std::string_view name() const override { return "persistent"; }

private:
    void begin() override;
    bool progress() override;
    void end() override;

    /// The requests of the exchanges that receive at one address: of receives, then of sends.
    struct Requests {
        const std::byte* receive_base = nullptr;
        std::vector<MPI_Request> all;
        bool made = false;
    };
    Requests& requests_of(std::byte* base);
    void make(Requests& requests, std::byte* base);
    static void free(Requests& requests);

    parallel::Communicator comm_;
    std::array<Requests, 4> made_;  // a fifth address takes the place of the one that was made first
    std::size_t next_ = 0;
    Requests* current_ = nullptr;
};

}  // namespace groundswell::halo
