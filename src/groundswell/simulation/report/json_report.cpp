#include "groundswell/simulation/report/json_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <utility>

#include "groundswell/base/descriptor.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/version.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/output/disk/growing_name.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/simulation/build_report.hpp"

namespace groundswell::simulation {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

nlohmann::json json_report(const std::string& command, MPI_Comm comm, int threads, nlohmann::json result) {
    int ranks = 1, hosts = 1;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_size(comm, &ranks);
        hosts = parallel::find_placement(comm).hosts;
    }
    const parallel::Library library = parallel::library();
    return {{"schema", 1},
            {"command", command},
            {"version", base::version()},
            {"machine",
             {{"mpi", fmt::format("{} {}", library.name, library.version)},
              {"hosts", hosts},
              {"ranks", ranks},
              {"threads", threads},
              {"cpu", cpu_name()},
              {"isa", exec::name_of(exec::instruction_set())}}},
            {"build", build_json()},
            {"result", std::move(result)}};
}

namespace {

/// Our own standard output or error by another name, as /dev/stderr: its number; -1 where it is neither.
int own_stream(const struct stat& status) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat own {};
        if (::fstat(stream, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino)
            return stream;
    }
    return -1;
}

/// Whether a report is written into what is there: a device or a pipe has no content to replace.
bool is_written_into(const struct stat& status) {
    return S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode) || own_stream(status) >= 0;
}

[[noreturn]] void fail(const std::string& path) {
    throw base::RunFailure(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

void write_all(int file, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t done = ::write(file, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0 && errno == EPIPE && file == STDOUT_FILENO) return;  // its reader has had enough
        if (done < 0) fail(path);
        text.remove_prefix(static_cast<std::size_t>(done));
    }
}

void write_into(const std::string& path, const struct stat& status, std::string_view text) {
    const int own = own_stream(status);
    if (own >= 0) {
        std::cout << std::flush;
        write_all(own, text, path);
        return;
    }
    const base::Descriptor file(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (!file.is_open()) fail(path);
    write_all(file.get(), text, path);
}

}  // namespace

void replace_file(const std::string& path, std::string_view text) {
    const std::string target = output::without_links(path), part = target + ".part";
    const output::GrowingName growing(part);
    if (::unlink(part.c_str()) != 0 && errno != ENOENT) fail(part);
    base::Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open()) fail(part);
    try {
        write_all(file.get(), text, part);
        if (::close(file.release()) != 0) fail(part);
        if (::rename(part.c_str(), target.c_str()) != 0) fail(target);
    } catch (const base::RunFailure&) {
        ::unlink(part.c_str());
        throw;
    }
}

void check_json_target(const std::string& path, const std::vector<std::string>& taken) {
    if (path.empty() || path == "-") return;
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && is_written_into(status)) {
        const bool takes = own_stream(status) >= 0 || ::access(path.c_str(), W_OK) == 0;
        base::require(takes, path, "", "",
                      std::string("what can be written to: ") + (takes ? "" : std::strerror(errno)));
        return;
    }
    output::check_target(path, true, taken);
}

void write_json(const std::string& path, const nlohmann::json& report) {
    const std::string text = report.dump(2) + "\n";
    struct stat status {};
    if (path == "-") {
        std::cout << std::flush;
        write_all(STDOUT_FILENO, text, "standard output");
    } else if (::stat(path.c_str(), &status) == 0 && is_written_into(status)) {
        write_into(path, status, text);
    } else {
        replace_file(path, text);
    }
}

}  // namespace groundswell::simulation
