#include "groundswell/output/disk/test_hooks.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::output {

namespace {

constexpr const char* disk_variable = "GROUNDSWELL_TEST_DISK";
constexpr const char* fail_variable = "GROUNDSWELL_TEST_FAIL";
constexpr const char* servers_variable = "GROUNDSWELL_TEST_SERVERS";
constexpr const char* space_variable = "GROUNDSWELL_TEST_SPACE";

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

double parse_speed(std::string_view text) {
    const auto speed = base::parse_measure(text, {{"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}});
    if (!speed || *speed <= 0.0) base::refuse("environment", disk_variable, text, "a speed such as 40MB/s");
    return *speed;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
    const auto number = base::parse_number<std::int64_t>(text);
    return number >= 0 ? number : std::nullopt;
}

std::optional<int> parse_error(std::string_view name) {
    if (name == "silent") return TestHooks::silent;
    if (name == "short") return TestHooks::shortened;
    for (const auto& [known, value] : {std::pair{"EIO", EIO},
                                       {"ENOSPC", ENOSPC},
                                       {"EDQUOT", EDQUOT},
                                       {"EACCES", EACCES},
                                       {"EROFS", EROFS}}) {
        if (name == known) return value;
    }
    return std::nullopt;
}

}  // namespace

TestHooks TestHooks::from_environment(int rank) {
    TestHooks hooks;
    if (const auto text = environment(disk_variable); !text.empty())
        hooks.bytes_per_second_ = parse_speed(text);
    if (const auto text = environment(fail_variable); !text.empty()) {
        const auto fields = base::split(text, ':');
        const bool shaped = (fields.size() == 3 || fields.size() == 4) && fields[0] == "write";
        const auto error = shaped ? parse_error(fields[1]) : std::nullopt;
        const auto call = shaped ? parse_count(fields[2]) : std::nullopt;
        const auto only =
            shaped && fields.size() == 4 ? parse_count(fields[3]) : std::optional<std::int64_t>(rank);
        base::require(error && call && *call > 0 && only, "environment", fail_variable, text,
                      "write:ERROR:CALL[:RANK], such as write:EIO:7");
        if (*only == rank) {
            hooks.error_ = *error;
            hooks.failing_call_ = *call;
        }
    }
    return hooks;
}

int TestHooks::next_write() {
    return ++calls_ == failing_call_ ? error_ : 0;
}

void TestHooks::throttle(std::int64_t bytes, int writers, double seconds) const {
    if (bytes_per_second_ <= 0.0) return;
    const double wanted = static_cast<double>(bytes) * writers / bytes_per_second_;
    if (wanted > seconds) std::this_thread::sleep_for(std::chrono::duration<double>(wanted - seconds));
}

bool TestHooks::servers_spin() {
    const std::string_view text = environment(servers_variable);
    base::require(text.empty() || text == "spin", "environment", servers_variable, text, "spin");
    return !text.empty();
}

bool TestHooks::space_is_unknown() {
    const std::string_view text = environment(space_variable);
    base::require(text.empty() || text == "unknown", "environment", space_variable, text, "unknown");
    return !text.empty();
}

}  // namespace groundswell::output
