#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Events that wait for being written, by thread, and the lines that they become.
namespace groundswell::parallel {

struct TimelineEvent {
    const char *name, *category;
    double begin, end;
    bool beside;
    std::string text;
};

/// Events of one thread that are not written yet.
struct WaitingEvents {
    std::mutex mutex;  // of its thread, and of the main one in the end
    std::vector<TimelineEvent> events;
    const char* name = "main";
    int number = 0;
    double since = 0.0;
    bool introduced = false;
};

struct Timeline {
    std::mutex mutex;  // of all below
    std::vector<std::shared_ptr<WaitingEvents>> threads;
    std::string path;  // of this host's file
    int file = -1, rank = 0;
    double origin = 0.0;  // the same moment on all hosts, by this one's clock
    double room = 0.0, used = 0.0;
    std::atomic<std::int64_t> stride = 1;
    std::int64_t beside = 0;  // numbers what goes on beside
    std::string failure;
    std::set<std::string> labels;
};

/// Never destroyed: threads may end after main().
Timeline& timeline();
WaitingEvents& waiting_of_this_thread();

std::string json_text(std::string_view text);
/// By which viewers know a rank: they take process and thread 0 for the idle one of the system.
int viewer_process_of(int rank);

/// Writes whole lines, or nothing of the last one: who reads finds no torn line where the disk is full.
void write_timeline_lines(Timeline& all, std::string_view lines);
/// Takes an event of the calling thread.
void add_event(TimelineEvent event);
/// Writes what all threads have.
void flush_all_events();

}  // namespace groundswell::parallel
