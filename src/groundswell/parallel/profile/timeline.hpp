#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

/// When each thread of each rank did what, for a viewer: events of the Trace Event Format in its form of a JSON array
/// (Perfetto, chrome://tracing). An array that nobody closed is read too, so that a killed run leaves a file that opens.
///
/// One file for each host, to which its ranks append whole lines, the first host's under the name itself, another's under
/// NAME.hostN; in the end they become one. The size is bounded: of a long run the events of every second step are kept once
/// half of the room is used, of every fourth once half of what was left is, and so on; those of the output always.
namespace groundswell::parallel {

/// Creates or replaces the file. Throws base::Refusal on all ranks where it cannot be written. Collective.
void begin_timeline(MPI_Comm comm, const std::string& path);
/// Writes what is left, and makes one file of those of several hosts. Collective over the same ranks.
void end_timeline(MPI_Comm comm);
/// After a failure: writes what this rank has. Not collective.
void drop_timeline() noexcept;

namespace detail {
extern std::atomic<bool> timeline_is_on, timeline_takes_step;
}
/// Whether events are wanted, cheap.
inline bool timeline_is_on() {
    return detail::timeline_is_on.load(std::memory_order_relaxed) &&
           detail::timeline_takes_step.load(std::memory_order_relaxed);
}

/// A text that lives as long as the program: what events are called.
const char* timeline_label(std::string_view text);

/// The calling thread was at this, s of now(). `name` and `category` live as long as the program. `text`: more about it, for
/// who clicks on it. Events of a thread lie beside or within each other.
void add_to_timeline(const char* name, const char* category, double begin, double end, std::string text = {});
/// Something that went on beside what the thread did meanwhile.
void add_beside_timeline(const char* name, const char* category, double begin, double end);
/// Names the calling thread: "writer". Without, it is "main".
void name_timeline_thread(const char* name);
/// The calling thread did its share of what its rank computes, from `begin` on, s of now(). A thread that is not the main one gets a
/// row of its own with it.
void add_share_to_timeline(int thread, double begin) noexcept;
/// A step begins: its events are kept or not.
void step_on_timeline(std::int64_t step);

/// An event as long as its life, kept whatever the step.
class TimelineSpan {
public:
    TimelineSpan(const char* name, const char* category, std::string text);
    ~TimelineSpan();
    TimelineSpan& operator=(TimelineSpan&&) = delete;  // neither copied nor moved

private:
    const char *name_, *category_;
    std::string text_;
    double begin_;
};

}  // namespace groundswell::parallel
