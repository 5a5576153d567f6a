#include "groundswell/output/disk/growing_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

namespace {

constexpr std::array<int, 2> ending{SIGINT, SIGTERM};

// For the handler, which may call little more than unlink().
std::atomic<const char*> growing = nullptr;

void remove_and_end(int number) {
    if (const char* const path = growing.load()) ::unlink(path);
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

GrowingFile::GrowingFile(const std::string& part) : part_(part) {
    growing = part_.c_str();
    for (const int number : ending)
        if (std::signal(number, remove_and_end) == SIG_IGN) std::signal(number, SIG_IGN);
}

GrowingFile::~GrowingFile() {
    for (const int number : ending)
        if (std::signal(number, SIG_DFL) == SIG_IGN) std::signal(number, SIG_IGN);
    growing = nullptr;
    if (!is_whole_) ::unlink(part_.c_str());
}

void GrowingFile::finish(const std::string& path) {
    if (std::rename(part_.c_str(), path.c_str()) != 0)
        throw base::RunFailure(fmt::format("{}: cannot be given its name: {}", path, std::strerror(errno)));
    is_whole_ = true;
}

}  // namespace groundswell::output
