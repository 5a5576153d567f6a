#include "groundswell/output/writers/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/writers/nap.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

namespace groundswell::output {

// Errors reach all writers as text, so the system's own words are looked for in it.
bool may_pass(std::string_view message) {
    for (const int error : {ENOSPC, EDQUOT, EIO})
        if (message.find(std::strerror(error)) != std::string_view::npos) return true;
    // PnetCDF's and our own words for a full disk, and PnetCDF's for what it does not know.
    for (const char* words : {"No space left", "is the disk full", "Unknown error occurs in writing"})
        if (message.find(words) != std::string_view::npos) return true;
    return false;
}

Executor::Executor(MPI_Comm comm, const WriterOptions& options)
    : comm_(parallel::Communicator::duplicate(comm)), options_(options) {}

void Executor::meet() {
    if (comm_.size() == 1) return;
    MPI_Request request = MPI_REQUEST_NULL;
    parallel::check(MPI_Ibarrier(comm_.get(), &request), "wait for the other writers");
    Nap nap(1e-3);
    for (int all_here = 0;;) {
        parallel::check(MPI_Test(&request, &all_here, MPI_STATUS_IGNORE), "wait for the other writers");
        if (all_here != 0) return;
        nap.sleep();
    }
}

void Executor::run(const Job& job) {
    const double begin = parallel::now();
    const auto slot = slots_.find(job.file);
    const parallel::TimelineSpan span("write", "output",
                                      parallel::timeline_is_on()
                                          ? job.describe(slot == slots_.end() ? job.path : slot->second.path)
                                          : std::string());
    const bool makes = job.kind == JobKind::create || job.kind == JobKind::reopen;
    const bool is_of_file = makes || (slot != slots_.end() && job.kind != JobKind::decomposition);
    const std::string path = !is_of_file ? "" : cost_name(makes ? job.path : slot->second.path);
    const FileWork before{state_.records, state_.bytes};
    try {
        run_kind(job);
    } catch (const parallel::Agreed&) {
        fail(nullptr);
    }
    const double seconds = parallel::now() - begin;
    state_.writing_seconds += seconds;
    if (is_of_file) {
        FileWork& work = state_.files[path];
        work.records += state_.records - before.records;
        work.bytes += state_.bytes - before.bytes;
        work.seconds += seconds;
    }
    if (job.kind == JobKind::decomposition) state_.setup_seconds += seconds;
}

void Executor::run_kind(const Job& job) {
    if (job.kind == JobKind::decomposition) {
        GS_ASSERT(job.file == static_cast<std::int32_t>(decompositions_.size()));
        decompositions_.push_back(std::make_unique<Decomposition>(comm_.get(), job.rows, job.owned));
        return;
    }
    if (job.kind == JobKind::begin || job.kind == JobKind::leave) return;
    if (job.kind == JobKind::finish) {
        close_all();
        return;
    }
    const bool makes = job.kind == JobKind::create || job.kind == JobKind::reopen;
    if (makes) slots_[job.file] = {job.path, job.schema, job.checksums, job.replaces, {}, false, {}};
    Slot& slot = slots_.at(job.file);
    if (makes && slot.replaces) slot.growing = std::make_unique<GrowingName>(slot.path);
    if (slot.growing) slot.growing->fill_here();  // a thread may have taken over
    const bool stopped = state_.failure.code != base::ExitCode::done;
    if (!stopped && !slot.given_up) {
        if (makes) {
            create(slot, job);
        } else if (job.kind == JobKind::close) {
            close(slot, job);
        } else {
            write(slot, job);
        }
    }
    if (job.kind == JobKind::close && !stopped) {
        if (slot.given_up && !job.path.empty() && comm_.rank() == 0) {
            // What would have been renamed. A library may hold it open still, so its room is given back
            // first.
            std::error_code ignored;
            std::filesystem::resize_file(slot.path, 0, ignored);
            std::filesystem::remove(slot.path, ignored);
        }
        slots_.erase(job.file);
    }
}

void Executor::attempt(Slot& slot, bool may_repeat, const std::function<void()>& body) {
    double pause = options_.first_pause, waited = 0.0;
    while (true) {
        std::string message;
        try {
            body();
            return;
        } catch (const base::RunFailure& error) {
            // The same on all writers, and pauses are counted by number: all take the same way.
            if (dynamic_cast<const parallel::Agreed*>(&error) == nullptr) throw;
            message = error.what();
            if (options_.on_error != OnError::retry || !may_repeat || !may_pass(message) ||
                waited + pause > options_.longest_wait) {
                fail(&slot);
                return;
            }
        } catch (const parallel::Agreed&) {
            fail(&slot);
            return;
        }
        if (comm_.rank() == 0) base::log_warning("{}; the next attempt in {:.3g} s", message, pause);
        std::this_thread::sleep_for(std::chrono::duration<double>(pause));
        waited += pause;
        pause = std::min(2.0 * pause, 60.0);
        if (slot.file) slot.file->forget_failure();
    }
}

/// Called where an exception that all writers have is being handled.
void Executor::fail(Slot* slot) {
    parallel::LocalOutcome outcome = parallel::outcome_of_current_exception();
    // Files that take another's place are written in the middle of a run: what would be refused before the
    // start, a folder that is not there, is a failure then.
    if (outcome.code == base::ExitCode::refused && slot != nullptr && slot->replaces)
        outcome.code = base::ExitCode::failed;
    const bool drops = options_.on_error == OnError::drop && outcome.code == base::ExitCode::failed;
    if (slot != nullptr) slot->given_up = true;
    if (slot == nullptr || !drops) {
        if (state_.failure.code == base::ExitCode::done) state_.failure = outcome;
        return;
    }
    state_.given_up.push_back(outcome.message);
    if (comm_.rank() == 0)
        base::log_warning("{}; this file is given up, the run goes on (on_error = \"drop\")",
                          outcome.message);
}

void Executor::create(Slot& slot, const Job& job) {
    // A run of netCDF-4 files may be written by all ranks where restart files, which are CDF-5, cannot.
    const std::vector<std::string> modes = available_modes(job.file_storage.format);
    const bool offered = std::find(modes.begin(), modes.end(), options_.backend) != modes.end();
    FileOptions options{offered ? options_.backend : "auto", job.overwrite, job.hints, job.file_storage};
    if (job.kind == JobKind::create) {
        attempt(slot, true, [&] {
            const FileOptions now = options;
            options.overwrite = true;  // a repetition replaces what the first attempt left
            slot.file.emplace(File::create(comm_.get(), slot.path, *slot.schema, now));
        });
    } else {
        attempt(slot, false, [&] {
            slot.file.emplace(File::reopen(comm_.get(), slot.path, *slot.schema, job.time, options));
        });
    }
}

/// A file that takes a name in the middle of a run, a restart, counts on the records before it: both must be
/// there after a power failure.
void Executor::flush_others(const Slot& slot) {
    for (auto& [number, other] : slots_) {
        if (&other == &slot || !other.file || other.given_up) continue;
        File& file = *other.file;
        attempt(other, false, [&file] { file.flush(); });
    }
}

void Executor::close(Slot& slot, const Job& job) {
    if (!job.path.empty()) flush_others(slot);
    if (state_.failure.code != base::ExitCode::done) return;
    attempt(slot, false, [&] {
        slot.file->close();
        take_name(slot, job);
    });
}

void Executor::take_name(const Slot& slot, const Job& job) {
    parallel::agree(comm_.get(), [&] {
        if (comm_.rank() != 0) return;
        namespace fs = std::filesystem;
        std::error_code error;
        if (!job.path.empty()) {
            const std::string words = obstacle(job.path);
            if (words.empty()) fs::rename(slot.path, job.path, error);
            if (error || !words.empty())
                throw base::RunFailure(fmt::format("{}: cannot be given its name: {}", job.path,
                                                   error ? error.message() : words));
            const fs::path folder = fs::path(job.path).parent_path();
            flush(folder.empty() ? "." : folder.string());
        }
        std::int64_t kept = 0;
        for (auto old = job.older.rbegin(); old != job.older.rend(); ++old) {
            if (!fs::exists(*old, error) || ++kept <= job.keep) continue;
            fs::remove(*old, error);
            if (error) base::log_warning("{}: cannot be removed: {}", *old, error.message());
        }
    });
    if (!job.path.empty()) state_.newest = job.path;
}

/// After a failure too: the other files are whole up to their last record.
void Executor::close_all() {
    for (auto& [number, slot] : slots_) {
        if (!slot.file || slot.given_up) continue;
        File& file = *slot.file;
        attempt(slot, false, [&file] { file.close(); });
    }
    slots_.clear();
}

}  // namespace groundswell::output
