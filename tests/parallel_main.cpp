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

    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) {
            return;
        }
        const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
        const std::string name = test ? std::string(test->test_suite_name()) + "." + test->name() : "set-up";
        std::fprintf(stderr, "rank %d: %s: %s:%d: %s\n", rank_, name.c_str(),
                     result.file_name() ? result.file_name() : "?", result.line_number(), result.message());
    }

private:
    int rank_;
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
