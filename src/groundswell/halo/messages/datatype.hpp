#pragma once

#include <mpi.h>

#include <utility>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// Owner of an MPI datatype: freed at the end of its life, movable, not copyable.
class Datatype {
public:
    Datatype() = default;
    /// Takes over `type`, which the caller must not free.
    explicit Datatype(MPI_Datatype type) : type_(type) {}
    Datatype(Datatype&& other) noexcept { *this = std::move(other); }
    Datatype& operator=(Datatype&& other) noexcept {
        std::swap(type_, other.type_);
        return *this;
    }
    ~Datatype() {
        if (type_ == MPI_DATATYPE_NULL) return;
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (!finalized) MPI_Type_free(&type_);
    }

    /// Readies the type for messages.
    Datatype& commit() {
        parallel::check(MPI_Type_commit(&type_), "commit a datatype");
        return *this;
    }

    MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace groundswell::halo
