#pragma once

#include <mpi.h>

#include <string_view>

namespace groundswell::parallel {

/// Turns an MPI return code into an error: throws base::RunFailure with the library's own text and `what` was
/// being done. Codes reach the caller because every Communicator returns its errors.
void check(int return_code, std::string_view what);

/// This rank of `comm`, and how many there are. Not collective.
int rank_of(MPI_Comm comm);
int size_of(MPI_Comm comm);

/// Owner of an MPI communicator: freed at the end of its life, movable, not copyable. Errors on it are
/// returned (MPI_ERRORS_RETURN), never fatal by themselves. An empty one holds MPI_COMM_NULL.
class Communicator {
public:
    Communicator() = default;
    Communicator(Communicator&& other) noexcept;
    Communicator& operator=(Communicator&& other) noexcept;
    ~Communicator();

    /// A copy of `comm` with a message context of its own. Collective over `comm`.
    static Communicator duplicate(MPI_Comm comm);

    /// The ranks that gave the same `color` (>= 0, or MPI_UNDEFINED for none), ordered by `key`. Collective.
    static Communicator split(MPI_Comm comm, int color, int key);

    /// Takes over `comm`, which the caller must not free.
    static Communicator adopt(MPI_Comm comm);

    MPI_Comm get() const { return comm_; }
    int rank() const { return rank_; }
    int size() const { return size_; }
    explicit operator bool() const { return comm_ != MPI_COMM_NULL; }

private:
    explicit Communicator(MPI_Comm owned);

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
};

}  // namespace groundswell::parallel
