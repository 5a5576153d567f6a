#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "groundswell/c/halo.h"
#include "groundswell/c/messages.h"
#include "groundswell/c/output.h"

/// What the tests of the C functions share. They hold what these promise beyond the example: every transport brings the
/// owners' bits; a wrong call or bad input is answered with a status and a message on all ranks, never by an exception or
/// a hang.
namespace c_interface {

inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

inline int size_of(MPI_Comm comm) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    return size;
}

/// One rank speaks, all know.
inline void expect_refused_everywhere(int status, const std::string& word) {
    EXPECT_EQ(status, GS_REFUSED);
    EXPECT_NE(std::string(gs_error_message()).find(word), std::string::npos) << gs_error_message();
    int speaking = gs_error_speaks();
    MPI_Allreduce(MPI_IN_PLACE, &speaking, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(speaking, 1);
}

/// Ids 0 … 7·ranks-1 in a ring, dealt out like cards; each rank needs both neighbours of its ids.
class Ring {
public:
    Ring() {
        const int ranks = size_of(MPI_COMM_WORLD);
        const std::int64_t ids = 7 * ranks;
        for (std::int64_t id = rank_of(MPI_COMM_WORLD); id < ids; id += ranks) {
            owned.push_back(id);
            needed.push_back((id + 1) % ids);
            needed.push_back((id + ids - 1) % ids);
        }
        EXPECT_EQ(gs_halo_plan_create(MPI_COMM_WORLD, std::ssize(owned), owned.data(), std::ssize(needed),
                                      needed.data(), &plan),
                  GS_DONE);
    }
    ~Ring() { gs_halo_plan_destroy(&plan); }

    std::size_t size() const { return owned.size() + needed.size(); }
    std::int64_t id(std::size_t local) const {
        return local < owned.size() ? owned[local] : needed[local - owned.size()];
    }

    std::vector<std::int64_t> owned, needed;
    gs_halo_plan* plan = nullptr;
};

/// A file of a number for each rank.
class COutput : public testing::Test {
protected:
    COutput() {
        EXPECT_EQ(gs_schema_create(&schema), GS_DONE);
        const char* const dimensions[] = {"time", "cell"};
        EXPECT_EQ(gs_schema_dimension(schema, "time", GS_UNLIMITED), GS_DONE);
        EXPECT_EQ(gs_schema_dimension(schema, "cell", size_of(MPI_COMM_WORLD)), GS_DONE);
        EXPECT_EQ(gs_schema_variable(schema, "time", GS_FLOAT64, 1, dimensions), GS_DONE);
        EXPECT_EQ(gs_schema_variable(schema, "rank", GS_INT32, 2, dimensions), GS_DONE);
    }
    ~COutput() override {
        gs_schema_destroy(&schema);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_of(MPI_COMM_WORLD) == 0) std::remove(path.c_str());
    }

    const std::string path = "c_interface_" + std::to_string(size_of(MPI_COMM_WORLD)) + ".nc";
    gs_schema* schema = nullptr;
    gs_output* output = nullptr;
    gs_file* file = nullptr;
};

}  // namespace c_interface
