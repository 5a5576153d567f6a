#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "groundswell/halo/plan.hpp"

namespace groundswell::halo {

/// Layout of a field for the exchanges that it takes part in: how many ids it holds on this rank, and
/// which ranks this one exchanges any of them with. Made of one plan, of several that share the field, or of
/// these numbers themselves before there is a plan.
class Layout {
public:
    Layout(const Plan&
               plan);  // NOLINT(google-explicit-constructor): a plan will do wherever a layout is asked for
    /// Makes the layout of one or more plans, all of one communicator.
    explicit Layout(std::span<const std::shared_ptr<const Plan>> plans);
    /// `neighbours`: in any order, in either direction, any plan of `comm`.
    Layout(MPI_Comm comm, std::int32_t owned, std::int32_t needed, std::vector<int> neighbours);

    /// Must outlive what is made of this.
    MPI_Comm comm() const { return comm_; }
    std::int32_t ids() const { return ids_; }
    /// Ascending, each once.
    std::span<const int> neighbours() const { return neighbours_; }

private:
    MPI_Comm comm_;
    std::int32_t ids_;
    std::vector<int> neighbours_;
};

/// Zeroed memory for a field, which the neighbours on the same host read. Null on all ranks, without a word,
/// where no two neighbours share a host; and with one warning a process where there is no room. Collective.
std::shared_ptr<std::byte> share_field_memory(const Layout& layout, std::size_t bytes);

}  // namespace groundswell::halo
