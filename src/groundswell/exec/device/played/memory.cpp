#include "groundswell/exec/device/played/memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace groundswell::exec {
namespace {

std::size_t page_bytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// The file's pages, and one more that nobody may touch.
std::byte* map_before_guard(int file, std::size_t bytes, int access) {
    void* const all =
        ::mmap(nullptr, bytes + page_bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || ::mmap(all, bytes, access, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        throw std::bad_alloc();
    return static_cast<std::byte*>(all);
}

}  // namespace

PlayedMemory::~PlayedMemory() {
    for (auto& [known, piece] : pieces_) {
        if (!piece.released) release(piece.known);
        ::munmap(piece.known + piece.bytes - piece.pages_bytes, piece.pages_bytes + page_bytes());
    }
}

void* PlayedMemory::allocate(const std::string& name, std::size_t bytes, const Filling& filling) {
    if (bytes > limits_.memory_bytes - taken_)
        base::refuse(limits_.name, name, fmt::format("{} bytes", bytes),
                     fmt::format("at most the {} bytes of the device's memory that are left",
                                 limits_.memory_bytes - taken_));
    const std::size_t whole = (bytes + 63) / 64 * 64;
    const std::size_t pages = (whole / page_bytes() + 1) * page_bytes();
    Piece piece{name, whole, pages};
    const auto* const unset = static_cast<const std::byte*>(filling.value);
    piece.unset.assign(unset, unset + filling.bytes);
    piece.file = ::memfd_create("played device", MFD_CLOEXEC);
    if (piece.file < 0 || ::ftruncate(piece.file, static_cast<off_t>(pages)) != 0) throw std::bad_alloc();
    map(piece);
    for (std::size_t i = 0; i + filling.bytes <= whole; i += filling.bytes)
        std::memcpy(piece.writable + i, filling.value, filling.bytes);
    taken_ += whole;
    return pieces_.emplace(piece.known, piece).first->second.known;
}

void PlayedMemory::map(Piece& piece) const {
    const std::size_t begin = piece.pages_bytes - piece.bytes;
    piece.known = map_before_guard(piece.file, piece.pages_bytes, PROT_NONE) + begin;
    piece.readable = map_before_guard(piece.file, piece.pages_bytes, PROT_READ) + begin;
    piece.writable = map_before_guard(piece.file, piece.pages_bytes, PROT_READ | PROT_WRITE) + begin;
}

namespace {

// The name of a shared array: a file of another process.
struct SharedName {
    pid_t process;
    int file;
    std::size_t bytes, pages_bytes;
};

}  // namespace

std::vector<std::byte> PlayedMemory::share(const void* known) const {
    const Piece& piece = pieces_.at(static_cast<const std::byte*>(known));
    const SharedName name{::getpid(), piece.file, piece.bytes, piece.pages_bytes};
    const auto bytes = std::as_bytes(std::span(&name, 1));
    return {bytes.begin(), bytes.end()};
}

void* PlayedMemory::open_shared(std::span<const std::byte> bytes) {
    SharedName name{};
    GS_ASSERT(bytes.size() == sizeof name);
    std::memcpy(&name, bytes.data(), sizeof name);
    Piece piece{"array of another process", name.bytes, name.pages_bytes};
    piece.takes_memory = false;
    piece.file = ::open(fmt::format("/proc/{}/fd/{}", name.process, name.file).c_str(), O_RDWR | O_CLOEXEC);
    if (piece.file < 0) return nullptr;
    map(piece);
    return pieces_.emplace(piece.known, piece).first->second.known;
}

void PlayedMemory::release(void* known) {
    Piece& piece = pieces_.at(static_cast<const std::byte*>(known));
    ::close(piece.file);
    for (std::byte* const place : {piece.readable, piece.writable})
        ::munmap(place + piece.bytes - piece.pages_bytes, piece.pages_bytes + page_bytes());
    piece.released = true;
    if (piece.takes_memory) taken_ -= piece.bytes;
}

const PlayedMemory::Piece* PlayedMemory::find(const void* known) const {
    const auto* const address = static_cast<const std::byte*>(known);
    auto after = pieces_.upper_bound(address);
    if (after == pieces_.begin()) return nullptr;
    const Piece& piece = std::prev(after)->second;
    return address <= piece.known + piece.bytes ? &piece : nullptr;
}

void HazardChecker::merge(Clock& into, const Clock& from) {
    into.resize(std::max(into.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

void HazardChecker::add_stream() {
    streams_.emplace_back(streams_.size() + 1);
}

void HazardChecker::record(Stream stream, Event event) {
    events_[event] = streams_.at(static_cast<std::size_t>(stream));
}

void HazardChecker::wait(Stream stream, Event event) {
    merge(streams_.at(static_cast<std::size_t>(stream)), events_.at(event));
}

void HazardChecker::synchronise(Stream stream) {
    merge(host_, streams_.at(static_cast<std::size_t>(stream)));
}

void HazardChecker::operation(Stream stream, const std::string& name, const std::vector<Use>& uses) {
    const auto own = static_cast<std::size_t>(stream);
    Clock& clock = streams_.at(own);
    merge(clock, host_);
    const long number = ++clock[own];
    for (const Use& use : uses) {
        History& history = arrays_[use.array];
        const auto check = [&](const std::vector<Access>& accesses) {
            for (const Access& other : accesses) {
                const auto of = static_cast<std::size_t>(other.stream);
                if (other.begin >= use.end || use.begin >= other.end) continue;
                if (of != own && (of >= clock.size() || clock[of] < other.number))
                    throw base::Defect(
                        fmt::format("'{}' on stream {} and '{}' on stream {} use the array '{}' with no "
                                    "event between them",
                                    other.name, of, name, own, use.name));
            }
        };
        check(history.writes);
        if (use.writes) check(history.reads);
        std::vector<Access>& accesses = use.writes ? history.writes : history.reads;
        std::erase_if(accesses, [&](const Access& access) {
            return access.stream == static_cast<int>(own) && use.begin <= access.begin &&
                   access.end <= use.end;
        });
        accesses.push_back({static_cast<int>(own), number, name, use.begin, use.end});
    }
}

}  // namespace groundswell::exec
