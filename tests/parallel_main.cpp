// main() of the tests that need MPI. Every rank runs every test; rank 0 prints, the others speak only of
// failures, and the program fails everywhere if a test failed anywhere.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <string>

namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
public:
    explicit FailuresOnly(int rank) : rank_(rank) {}

    void OnTestStart(const testing::TestInfo& test) override {
        name_ = std::string(test.test_suite_name()) + "." + test.name();
    }

    // Called with GoogleTest's own lock held: asking it for the current test here would wait for ever.
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) {
            return;
        }
        std::fprintf(stderr, "rank %d: %s: %s:%d: %s\n", rank_, name_.c_str(),
                     result.file_name() ? result.file_name() : "?", result.line_number(), result.message());
    }

private:
    int rank_;
    std::string name_ = "set-up";
};

}  // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    testing::InitGoogleTest(&argc, argv);
    if (rank != 0) {
        testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailuresOnly(rank));
    }

    int failed = RUN_ALL_TESTS();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
