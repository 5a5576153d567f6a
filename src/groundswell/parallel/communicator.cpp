#include "groundswell/parallel/communicator.hpp"

#include <fmt/format.h>

#include <utility>

#include "groundswell/base/errors.hpp"

namespace groundswell::parallel {

void check(int return_code, std::string_view what) {
    if (return_code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(return_code, text, &length);
    throw base::RunFailure(fmt::format("MPI failed to {}: {}", what, std::string_view(text, length)));
}

int rank_of(MPI_Comm comm) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "tell the rank");
    return rank;
}

int size_of(MPI_Comm comm) {
    int ranks = 1;
    check(MPI_Comm_size(comm, &ranks), "tell the number of ranks");
    return ranks;
}

Communicator::Communicator(MPI_Comm owned) : comm_(owned) {
    if (comm_ == MPI_COMM_NULL) return;
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "have errors returned");
    rank_ = rank_of(comm_);
    size_ = size_of(comm_);
}

Communicator::Communicator(Communicator&& other) noexcept {
    *this = std::move(other);
}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
    return *this;
}

Communicator::~Communicator() {
    if (comm_ == MPI_COMM_NULL) return;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Comm_free(&comm_);
}

Communicator Communicator::duplicate(MPI_Comm comm) {
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(comm, &copy), "duplicate a communicator");
    return Communicator(copy);
}

Communicator Communicator::split(MPI_Comm comm, int color, int key) {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(comm, color, key, &part), "split a communicator");
    return Communicator(part);
}

Communicator Communicator::adopt(MPI_Comm comm) {
    return Communicator(comm);
}

}  // namespace groundswell::parallel
