#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "groundswell/base/descriptor.hpp"
#include "groundswell/parallel/communicator.hpp"

/// Files of POSIX shared memory, as HostMemory uses them: made and opened by name, emptied of their names at
/// once. What fails throws base::RunFailure on this rank alone.
namespace groundswell::halo {

/// Folder in which Linux keeps what shm_open makes.
inline constexpr std::string_view shared_folder = "/dev/shm";

std::size_t page_bytes();

/// Bytes that may still be reserved on this host, of whose ranks hold `held` bytes already: what is free, or
/// less where GROUNDSWELL_TEST_SHM pretends so. Throws base::Refusal if that is not a size.
std::int64_t shared_room(std::int64_t held);

/// Owner of an open file; closed at the end of its life.
class SharedFile {
public:
    /// A new file of `bytes` zeros that takes no room yet.
    static SharedFile create(const std::string& name, std::size_t bytes);
    /// One that another rank created.
    static SharedFile open(const std::string& name, bool to_write);

    int descriptor() const { return file_.get(); }
    std::size_t bytes() const;

    /// Takes the room of all pages, each thread that of the part on which it will compute. Nobody can die of
    /// SIGBUS then.
    void reserve() const;

private:
    base::Descriptor file_;
};

/// A name in the folder that lives no longer than this.
struct RemoveName {
    void operator()(const std::string* name) const;
};
using SharedName = std::unique_ptr<const std::string, RemoveName>;

/// Beginning of the names of all ranks on a host in one allocation; drawn by one of them. No other run and
/// no leftover of one has it. Collective over `host`.
std::string draw_name_prefix(const parallel::Communicator& host);

}  // namespace groundswell::halo
