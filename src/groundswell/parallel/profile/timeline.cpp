#include "groundswell/parallel/profile/timeline.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/common_moment.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::parallel {

namespace detail {
std::atomic<bool> timeline_is_on = false, timeline_takes_step = true;
}

namespace {

constexpr double all_bytes = 200e6;    // of all ranks
constexpr double least_bytes = 256e3;  // of a rank: with more ranks than have room, only some are drawn
constexpr std::size_t most_waiting = 1024;
constexpr double longest_wait = 2.0;  // s until an event is written: what a killed run may lack
constexpr int threads_of_rank = 1000;
constexpr double shortest_share = 2e-6;  // s

struct Event {
    const char *name, *category;
    double begin, end;
    bool beside;
    std::string text;
};

/// Events of one thread that are not written yet.
struct Waiting {
    std::mutex mutex;  // of its thread, and of the main one in the end
    std::vector<Event> events;
    const char* name = "main";
    int number = 0;
    double since = 0.0;
    bool introduced = false;
};

struct Timeline {
    std::mutex mutex;  // of all below
    std::vector<std::shared_ptr<Waiting>> threads;
    std::string path;  // of this host's file
    int file = -1, rank = 0;
    double origin = 0.0;  // the same moment on all hosts, by this one's clock
    double room = 0.0, used = 0.0;
    std::atomic<std::int64_t> stride = 1;
    std::int64_t beside = 0;  // numbers what goes on beside
    std::string failure;
    std::set<std::string> labels;
};

// Never destroyed: threads may end after main().
Timeline& timeline() {
    static auto* const all = new Timeline;
    return *all;
}

Waiting& waiting_of_this_thread() {
    thread_local std::shared_ptr<Waiting> mine;
    if (!mine) {
        mine = std::make_shared<Waiting>();
        const std::lock_guard lock(timeline().mutex);
        mine->number = static_cast<int>(timeline().threads.size());
        mine->since = now();
        timeline().threads.push_back(mine);
    }
    return *mine;
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            out += ' ';
        else
            out += c;
    }
    return out + '"';
}

// Viewers take process and thread 0 for the idle one of the system.
int process_of(int rank) {
    return rank + 1;
}

/// Whole lines, or nothing of the last one: who reads finds no torn line where the disk is full.
void write_lines(Timeline& all, std::string_view lines) {
    if (all.file < 0 || !all.failure.empty()) return;
    all.used += static_cast<double>(lines.size());
    std::size_t done = 0;
    while (done < lines.size()) {
        const ssize_t now_done = ::write(all.file, lines.data() + done, lines.size() - done);
        if (now_done < 0 && errno == EINTR) continue;
        if (now_done > 0) {
            done += static_cast<std::size_t>(now_done);
            continue;
        }
        all.failure = std::strerror(now_done < 0 ? errno : ENOSPC);
        const std::size_t whole = done > 0 ? lines.rfind('\n', done - 1) + 1 : 0;  // npos + 1 = 0
        const off_t end = ::lseek(all.file, 0, SEEK_CUR);
        if (done > whole && end >= static_cast<off_t>(done) && ::lseek(all.file, 0, SEEK_END) == end)
            (void)!::ftruncate(all.file, end - static_cast<off_t>(done - whole));
        if (detail::timeline_is_on.exchange(false) && all.rank == 0)
            base::log_warning(
                "timeline: {}: {}: it ends {:.1f} s after the start, and the run goes on without; for all of "
                "it make "
                "room there, or name a file on another disk with --timeline",
                all.path, all.failure, now() - all.origin);
        return;
    }
}

/// Called with the thread's own lock.
void flush(Waiting& waiting) {
    Timeline& all = timeline();
    const std::lock_guard lock(all.mutex);
    fmt::memory_buffer lines;
    const auto out = std::back_inserter(lines);
    const int process = process_of(all.rank), thread = process * threads_of_rank + waiting.number;
    if (!std::exchange(waiting.introduced, true))
        fmt::format_to(out,
                       R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}},)"
                       "\n",
                       process, thread, json_text(waiting.name));
    for (const Event& event : waiting.events) {
        const double at = 1e6 * std::max(0.0, event.begin - all.origin),
                     until = 1e6 * (event.end - all.origin);
        const auto common = [&](const char* kind, double time) {
            fmt::format_to(out, R"({{"name":{},"cat":"{}","ph":"{}","ts":{:.3f},"pid":{},"tid":{})",
                           json_text(event.name), event.category, kind, time, process, thread);
        };
        if (event.beside) {
            ++all.beside;
            common("b", at);
            fmt::format_to(out, ",\"id\":\"{}-{}\"}},\n", process, all.beside);
            common("e", until);
            fmt::format_to(out, ",\"id\":\"{}-{}\"}},\n", process, all.beside);
            continue;
        }
        common("X", at);
        fmt::format_to(out, ",\"dur\":{:.3f}", until - at);
        if (!event.text.empty()) fmt::format_to(out, ",\"args\":{{\"what\":{}}}", json_text(event.text));
        fmt::format_to(out, "}},\n");
    }
    waiting.events.clear();
    waiting.since = now();
    // The last room stays for what comes at the end.
    if (all.used + static_cast<double>(lines.size()) > 1.25 * all.room) return;
    write_lines(all, {lines.data(), lines.size()});
    // Half of what is left at each stride: so much is used once strides of 1, 2, 4, … had their turn.
    const auto stride = static_cast<double>(all.stride.load());
    if (all.used > all.room * (1.0 - 0.5 / stride)) all.stride = 2 * all.stride.load();
}

void add(Event event) {
    Waiting& mine = waiting_of_this_thread();
    const std::lock_guard lock(mine.mutex);
    const double end = event.end;
    mine.events.push_back(std::move(event));
    // Little at a time where there is little room: what does not fit is left out as a whole.
    constexpr double bytes_of_event = 100.0;
    const bool fills = static_cast<double>(mine.events.size()) * bytes_of_event > timeline().room / 16.0;
    if (fills || mine.events.size() >= most_waiting || end - mine.since > longest_wait) flush(mine);
}

void flush_all() {
    std::vector<std::shared_ptr<Waiting>> threads;
    {
        const std::lock_guard lock(timeline().mutex);
        threads = timeline().threads;
    }
    for (const auto& each : threads) {
        const std::lock_guard lock(each->mutex);
        if (!each->events.empty()) flush(*each);
    }
}

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

/// What the other hosts' files hold, behind this one; the name of the first that is not to be seen here, else empty.
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
        write_lines(all, "[\n");
        base::require(all.failure.empty(), "command line", "--timeline", all.path,
                      "a file that can be written: " + all.failure);
    });
    agree(comm, [&] {
        if (placement.rank_on_host != 0 && drawn) open(0);
    });
    all.origin = common_moment(comm).here;
    if (!drawn) return;
    const int process = process_of(all.rank);
    write_lines(
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
    flush_all();
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
            write_lines(all, last + "\n]\n");
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
    flush_all();
    close_file(timeline());
}

const char* timeline_label(std::string_view text) {
    Timeline& all = timeline();
    const std::lock_guard lock(all.mutex);
    return all.labels.emplace(text).first->c_str();
}

void add_to_timeline(const char* name, const char* category, double begin, double end, std::string text) {
    if (timeline_is_on()) add({name, category, begin, end, false, std::move(text)});
}

void add_beside_timeline(const char* name, const char* category, double begin, double end) {
    if (timeline_is_on()) add({name, category, begin, end, true, {}});
}

void name_timeline_thread(const char* name) {
    Waiting& mine = waiting_of_this_thread();
    const std::lock_guard lock(mine.mutex);
    mine.name = name;
}

void add_share_to_timeline(int thread, double begin) noexcept {
    const double end = now();
    if (thread == 0 || !timeline_is_on() || end - begin < shortest_share) return;
    thread_local bool has_name = false;
    if (!std::exchange(has_name, true))
        name_timeline_thread(timeline_label(fmt::format("thread {}", thread)));
    add({"share", "thread", begin, end, false, {}});
}

void step_on_timeline(std::int64_t step) {
    if (!detail::timeline_is_on.load(std::memory_order_relaxed)) return;
    detail::timeline_takes_step = step % timeline().stride.load(std::memory_order_relaxed) == 0;
}

TimelineSpan::TimelineSpan(const char* name, const char* category, std::string text)
    : name_(name), category_(category), text_(std::move(text)), begin_(now()) {}

TimelineSpan::~TimelineSpan() {
    if (detail::timeline_is_on.load(std::memory_order_relaxed))
        add({name_, category_, begin_, now(), false, std::move(text_)});
}

}  // namespace groundswell::parallel
