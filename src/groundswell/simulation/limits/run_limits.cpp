#include "groundswell/simulation/limits/run_limits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/memory.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::simulation {

using nlohmann::json;

// The names of the file are those of the members.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StoredLimits, host, processor, isa, threads, stream_gigabytes_per_second,
                                   peak_gflops_float, peak_gflops_double, measured)

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

constexpr int schema = 1;

bool is_sound(const StoredLimits& limits) {
    const double all[] = {limits.stream_gigabytes_per_second, limits.peak_gflops_float,
                          limits.peak_gflops_double};
    return std::ranges::all_of(all, [](double value) { return std::isfinite(value) && value > 0.0; });
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

std::string limits_path(const std::function<std::string(const char*)>& variable) {
    if (const std::string named = variable("GROUNDSWELL_LIMITS"); !named.empty()) return named;
    // Relative paths are to be ignored (XDG Base Directory Specification).
    const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
    if (cache.starts_with('/')) return cache + "/groundswell/limits.json";
    return home.starts_with('/') ? home + "/.cache/groundswell/limits.json" : std::string();
}

std::string limits_path() {
    return limits_path([](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    });
}

std::vector<StoredLimits> limits_in(const std::string& text) {
    std::vector<StoredLimits> all;
    const json content = json::parse(text, nullptr, false);
    if (!content.is_object() || content.value("schema", json()) != schema || !content.contains("limits"))
        return all;
    for (const json& entry : content["limits"]) {
        try {
            if (const auto limits = entry.get<StoredLimits>(); is_sound(limits)) all.push_back(limits);
        } catch (const json::exception&) {
            continue;  // somebody else's; the others may do
        }
    }
    return all;
}

std::string text_of(const std::vector<StoredLimits>& limits) {
    json list = json::array();
    for (const StoredLimits& one : limits) list.push_back(one);
    return json{{"schema", schema}, {"limits", list}}.dump(1) + "\n";
}

std::vector<StoredLimits> read_limits(const std::string& path) {
    const std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();  // unlike an iterator, says nothing of a path that is a folder
    return limits_in(text.str());
}

std::optional<StoredLimits> find_limits(const std::vector<StoredLimits>& stored, const StoredLimits& wanted,
                                        std::int64_t now) {
    for (const StoredLimits& one : stored) {
        const bool is_it = one.host == wanted.host && one.processor == wanted.processor &&
                           one.isa == wanted.isa && one.threads == wanted.threads;
        const std::int64_t age = now - one.measured;
        if (is_it && age >= -86400 && age <= longest_age_of_limits) return one;  // clocks differ a little
    }
    return std::nullopt;
}

std::string store_limits(const std::string& path, const std::vector<StoredLimits>& more) {
    if (path.empty()) return "neither XDG_CACHE_HOME nor HOME names a folder";
    std::vector<StoredLimits> all = read_limits(path);
    for (const StoredLimits& one : more) {
        std::erase_if(all, [&](const StoredLimits& old) {
            const bool same = old.isa == one.isa && old.threads == one.threads;
            return old.host == one.host && (same || old.processor != one.processor);
        });
        all.push_back(one);
    }
    // A name of its own: another doctor may be at work.
    const std::string part =
        fmt::format("{}.{}-{}.part", path, more.empty() ? "" : more.front().host, ::getpid());
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) return error.message();
    {
        std::ofstream file(part);
        file << text_of(all);
        file.close();
        if (!file) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) std::filesystem::rename(part, path, error);
    if (!error) return {};
    const std::string why = error.message();
    std::filesystem::remove(part, error);
    return why;
}

}  // namespace groundswell::simulation
