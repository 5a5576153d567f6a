#include "groundswell/parallel/profile/timeline_events.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

namespace groundswell::parallel {

namespace {

constexpr std::size_t most_waiting = 1024;
constexpr double longest_wait = 2.0;  // s until an event is written: what a killed run may lack
constexpr int threads_of_rank = 1000;

}  // namespace

Timeline& timeline() {
    static auto* const all = new Timeline;
    return *all;
}

WaitingEvents& waiting_of_this_thread() {
    thread_local std::shared_ptr<WaitingEvents> mine;
    if (!mine) {
        mine = std::make_shared<WaitingEvents>();
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

int viewer_process_of(int rank) {
    return rank + 1;
}

void write_timeline_lines(Timeline& all, std::string_view lines) {
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

namespace {

// Called with the thread's own lock.
void flush(WaitingEvents& waiting) {
    Timeline& all = timeline();
    const std::lock_guard lock(all.mutex);
    fmt::memory_buffer lines;
    const auto out = std::back_inserter(lines);
    const int process = viewer_process_of(all.rank), thread = process * threads_of_rank + waiting.number;
    if (!std::exchange(waiting.introduced, true))
        fmt::format_to(out,
                       R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}},)"
                       "\n",
                       process, thread, json_text(waiting.name));
    for (const TimelineEvent& event : waiting.events) {
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
    write_timeline_lines(all, {lines.data(), lines.size()});
    // Half of what is left at each stride: so much is used once strides of 1, 2, 4, … had their turn.
    const auto stride = static_cast<double>(all.stride.load());
    if (all.used > all.room * (1.0 - 0.5 / stride)) all.stride = 2 * all.stride.load();
}

}  // namespace

void add_event(TimelineEvent event) {
    WaitingEvents& mine = waiting_of_this_thread();
    const std::lock_guard lock(mine.mutex);
    const double end = event.end;
    mine.events.push_back(std::move(event));
    // Little at a time where there is little room: what does not fit is left out as a whole.
    constexpr double bytes_of_event = 100.0;
    const bool fills = static_cast<double>(mine.events.size()) * bytes_of_event > timeline().room / 16.0;
    if (fills || mine.events.size() >= most_waiting || end - mine.since > longest_wait) flush(mine);
}

void flush_all_events() {
    std::vector<std::shared_ptr<WaitingEvents>> threads;
    {
        const std::lock_guard lock(timeline().mutex);
        threads = timeline().threads;
    }
    for (const auto& each : threads) {
        const std::lock_guard lock(each->mutex);
        if (!each->events.empty()) flush(*each);
    }
}

}  // namespace groundswell::parallel
