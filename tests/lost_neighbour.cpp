// Rank 1 is killed in the middle of exchanges through shared memory, under a launcher that was told not to
// mind: the others find out by themselves, say which rank on which host has ended, and end the run.
#include <signal.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"

int main() {
    using namespace groundswell;
    const parallel::Environment mpi;
    return parallel::run_to_exit_code(mpi.comm(), [&] {
        const int next = (mpi.rank() + 1) % mpi.size();
        const int last = (mpi.rank() + mpi.size() - 1) % mpi.size();
        const std::vector<std::int64_t> owned{mpi.rank()}, needed{next, last};
        const auto plan = std::make_shared<const halo::Plan>(mpi.comm(), owned, needed);
        halo::Field<float> field(*plan, 1000, 0, halo::Memory::shared);
        const auto transport = halo::make_transport("shared", plan, field.channel());
        for (int exchange = 0;; ++exchange) {
            transport->start(field.data());
            transport->finish();
            if (mpi.rank() == 1 && exchange == 100) raise(SIGKILL);
        }
        return 0;
    });
}
