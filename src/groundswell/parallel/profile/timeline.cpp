#include "groundswell/parallel/profile/timeline.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline_events.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::parallel {

namespace detail {
std::atomic<bool> timeline_is_on = false, timeline_takes_step = true;
}

namespace {

constexpr double all_bytes = 200e6;      // of all ranks
constexpr double least_bytes = 256e3;    // of a rank: with more ranks than have room, only some are drawn
constexpr double shortest_share = 2e-6;  // s

void close_file(Timeline& all) {
    if (all.file >= 0) ::close(std::exchange(all.file, -1));
}

std::string path_on(const std::string& path, int host) {
    return host == 0 ? path : fmt::format("{}.host{}", path, host);
}

/// Bytes that a rank may write: of GROUNDSWELL_TEST_TIMELINE, for tests, or its share.
double room_of(int ranks) {
    if (const char* const text = std::getenv("GROUNDSWELL_TEST_TIMELINE"); text != nullptr) {
        const auto bytes = base::parse_measure(text, {{"kB", 1e3}, {"MB", 1e6}});
        base::require(bytes && *bytes > 0.0, "environment", "GROUNDSWELL_TEST_TIMELINE", text,
                      "a size such as 200kB");
        return *bytes;
    }
    return std::max(least_bytes, all_bytes / ranks);
}

/// Contents of the other hosts' files, behind this one; the name of the first that is not to be seen here, else empty.
std::string append_others(const std::string& path, int hosts) {
    for (int host = 1; host < hosts; ++host) {
        const std::string other = path_on(path, host);
        std::ifstream in(other);
        std::string line;
        if (!in || !std::getline(in, line)) return other;  // the bracket
        std::ofstream out(path, std::ios::app);
        out << in.rdbuf();
        out.close();
        if (!out) return other;
        ::unlink(other.c_str());
    }
    return {};
}

}  // namespace

void begin_timeline(MPI_Comm comm, const std::string& path) {
    Timeline& all = timeline();
    const Placement placement = find_placement(comm);
    const int ranks = size_of(comm);
    all.rank = rank_of(comm);
    all.path = path_on(path, placement.host);
    // With more ranks than have room, every n-th is drawn.
    const int apart = std::max(1, static_cast<int>(std::ceil(ranks * least_bytes / all_bytes)));
    const bool drawn = all.rank % apart == 0;
    const auto open = [&](int flags) {
        all.file = ::open(all.path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);
        const std::string why = all.file < 0 ? std::strerror(errno) : "";
        base::require(all.file >= 0, "command line", "--timeline", all.path,
                      "a file that can be written: " + why);
    };
    agree(comm, [&] {
        all.room = room_of((ranks + apart - 1) / apart);
        if (placement.rank_on_host != 0) return;
        open(O_CREAT | O_TRUNC);
        write_timeline_lines(all, "[\n");
        base::require(all.failure.empty(), "command line", "--timeline", all.path,
                      "a file that can be written: " + all.failure);
    });
    agree(comm, [&] {
        if (placement.rank_on_host != 0 && drawn) open(0);
    });
    all.origin = common_moment(comm).here;
    if (!drawn) return;
    const int process = viewer_process_of(all.rank);
    write_timeline_lines(
        all, fmt::format(R"({{"name":"process_name","ph":"M","pid":{0},"args":{{"name":{1}}}}},)"
                         "\n"
                         R"({{"name":"process_sort_index","ph":"M","pid":{0},"args":{{"sort_index":{0}}}}},)"
                         "\n",
                         process, json_text(fmt::format("rank {} on {}", all.rank, placement.host_name))));
    waiting_of_this_thread();  // the first thread is the main one
    detail::timeline_is_on = true;
}

void end_timeline(MPI_Comm comm) {
    Timeline& all = timeline();
    detail::timeline_is_on = false;
    const bool said = all.rank == 0 && !all.failure.empty();  // when it happened
    flush_all_events();
    const bool failed = !all.failure.empty();
    const bool any_failed = max(comm, std::int64_t{failed}) != 0;
    const int hosts = find_placement(comm).hosts;
    if (all.rank == 0) {
        const std::string missing = append_others(all.path, hosts);
        if (!missing.empty())
            base::log_warning("timeline: {} could not be put behind {}: it stays, and opens by itself",
                              missing, all.path);
        if (!any_failed) {
            const std::string last = R"({"name":"end of the run","ph":"M","pid":1,"args":{}})";
            write_timeline_lines(all, last + "\n]\n");
        } else if (!said) {
            base::log_warning(
                "timeline: {}: a disk was full: what some ranks did is there in part; for all of it make "
                "room, or name a "
                "file on another disk with --timeline",
                all.path);
        }
    }
    close_file(all);
    check(MPI_Barrier(comm), "end the timeline");
}

void drop_timeline() noexcept {
    if (timeline().file < 0) return;
    detail::timeline_is_on = false;
    flush_all_events();
    close_file(timeline());
}

const char* timeline_label(std::string_view text) {
    Timeline& all = timeline();
    const std::lock_guard lock(all.mutex);
    return all.labels.emplace(text).first->c_str();
}

void add_to_timeline(const char* name, const char* category, double begin, double end, std::string text) {
    if (timeline_is_on()) add_event({name, category, begin, end, false, std::move(text)});
}

void add_beside_timeline(const char* name, const char* category, double begin, double end) {
    if (timeline_is_on()) add_event({name, category, begin, end, true, {}});
}

void name_timeline_thread(const char* name) {
    WaitingEvents& mine = waiting_of_this_thread();
    const std::lock_guard lock(mine.mutex);
    mine.name = name;
}

void add_share_to_timeline(int thread, double begin) noexcept {
    const double end = now();
    if (thread == 0 || !timeline_is_on() || end - begin < shortest_share) return;
    thread_local bool has_name = false;
    if (!std::exchange(has_name, true))
        name_timeline_thread(timeline_label(fmt::format("thread {}", thread)));
    add_event({"share", "thread", begin, end, false, {}});
}

void step_on_timeline(std::int64_t step) {
    if (!detail::timeline_is_on.load(std::memory_order_relaxed)) return;
    detail::timeline_takes_step = step % timeline().stride.load(std::memory_order_relaxed) == 0;
}

TimelineSpan::TimelineSpan(const char* name, const char* category, std::string text)
    : name_(name), category_(category), text_(std::move(text)), begin_(now()) {}

TimelineSpan::~TimelineSpan() {
    if (detail::timeline_is_on.load(std::memory_order_relaxed))
        add_event({name_, category_, begin_, now(), false, std::move(text_)});
}

}  // namespace groundswell::parallel
