#include "groundswell/simulation/limits/run_limits.hpp"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <vector>

#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/exec/processor.hpp"
#include "groundswell/exec/subnormals.hpp"
#include "groundswell/parallel/memory.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::simulation {

namespace {

exec::MachineLimits measure(MPI_Comm machine, int number_bytes) {
    using exec::Care;
    const int ranks = parallel::size_of(machine);
    const std::int64_t bytes = exec::stream_bytes(Care::quick, ranks);
    // Twice as much as it takes: a run that has used its memory to the end must not fail after it.
    const bool fits = parallel::fits_in_memory(machine, 2 * bytes);
    exec::MachineLimits mine;
    MPI_Barrier(machine);
    if (fits) mine.stream_gigabytes_per_second = exec::measure_stream(Care::quick, ranks);
    MPI_Barrier(machine);
    mine.peak_gflops = number_bytes == sizeof(float) ? exec::measure_peak<float>(Care::quick)
                                                     : exec::measure_peak<double>(Care::quick);
    return mine;
}

}  // namespace

StoredLimits limits_to_find(int threads) {
    StoredLimits wanted;
    wanted.host = parallel::host_name();
    wanted.processor = exec::processor_identity();
    wanted.isa = exec::name_of(exec::instruction_set());
    wanted.threads = threads;
    return wanted;
}

RunLimits find_run_limits(MPI_Comm comm, int number_bytes, bool measures) {
    const parallel::Communicator machine = parallel::machine_communicator(comm);
    const auto threads = static_cast<int>(parallel::sum(machine.get(), std::int64_t{exec::threads()}));
    std::array<double, 2> of_machine{};  // stream, peak; 0: not stored
    if (machine.rank() == 0) {
        const auto found =
            find_limits(read_limits(limits_path()), limits_to_find(threads), std::time(nullptr));
        if (found)
            of_machine = {found->stream_gigabytes_per_second, number_bytes == sizeof(float)
                                                                  ? found->peak_gflops_float
                                                                  : found->peak_gflops_double};
    }
    parallel::check(MPI_Bcast(of_machine.data(), 2, MPI_DOUBLE, 0, machine.get()),
                    "share the limits of a machine");
    const bool stored = of_machine[1] > 0.0;
    const bool all_stored = parallel::min(comm, std::int64_t{stored ? 1 : 0}) == 1;
    if (!all_stored && !measures) return {};
    exec::MachineLimits mine;
    if (!stored) {
        mine = measure(machine.get(), number_bytes);
    } else if (machine.rank() == 0) {
        mine = {of_machine[0], of_machine[1]};
    }
    // Where one machine could not measure, the sum of the others says nothing.
    const bool streams =
        parallel::min(comm, stored || mine.stream_gigabytes_per_second > 0.0 ? 1.0 : 0.0) > 0.0;
    const double stream = parallel::sum(comm, std::vector{mine.stream_gigabytes_per_second}),
                 peak = parallel::sum(comm, std::vector{mine.peak_gflops});
    return {{streams ? stream : 0.0, peak}, all_stored, circumstances()};
}

KernelCircumstances circumstances() {
    KernelCircumstances at;
    using namespace exec;
    at.isa = name_of(instruction_set());
    at.best_isa = name_of(processor_instruction_set());
    const InstructionSet otherwise =
        choose_instruction_set(compiled_instruction_sets(), processor_instruction_set(), "");
    if (otherwise != instruction_set()) at.held_by = fmt::format("GROUNDSWELL_ISA={}", at.isa);
    at.flushes_subnormals = flushes_subnormals();
    return at;
}

}  // namespace groundswell::simulation
