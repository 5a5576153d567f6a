#include "groundswell/output/disk/folder_probe.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include "groundswell/base/descriptor.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

namespace {

/// A new file with a name of its own in a folder, removed with the object.
class Trial {
public:
    explicit Trial(const std::string& folder) : path_(folder + "/.groundswell-trial-XXXXXX") {
        file_ = base::Descriptor(::mkostemp(path_.data(), O_CLOEXEC));
        error_ = made() ? 0 : errno;
    }
    ~Trial() {
        if (made()) ::unlink(path_.c_str());
    }

    bool made() const { return file_.is_open(); }
    int file() const { return file_.get(); }
    int error() const { return error_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    base::Descriptor file_;
    int error_ = 0;
};

bool can_lock_records(int file) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return ::fcntl(file, F_SETLK, &lock) == 0;
}

bool can_bypass_the_cache(const std::string& path) {
    return base::Descriptor(::open(path.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC)).is_open();
}

/// 16 bytes that no other file holds.
std::array<char, 16> mark() {
    std::random_device device;
    std::array<char, 16> bytes{};
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        const std::uint32_t word = device();
        std::memcpy(bytes.data() + i, &word, 4);
    }
    return bytes;
}

bool holds(const std::string& path, const std::array<char, 16>& wanted) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 16> found{};
    return file.read(found.data(), found.size()) && found == wanted;
}

}  // namespace

FolderAbilities probe_folder(const std::string& folder) {
    FolderAbilities result;
    const Trial trial(folder);
    if (!trial.made()) {
        result.trouble = std::strerror(trial.error());
        return result;
    }
    result.reserves = ::fallocate(trial.file(), FALLOC_FL_KEEP_SIZE, 0, 65536) == 0;
    result.flock = ::flock(trial.file(), LOCK_EX | LOCK_NB) == 0;
    result.record_locks = can_lock_records(trial.file());
    result.direct = can_bypass_the_cache(trial.path());
    return result;
}

std::string mpi_io_layer(const parallel::Library& library, std::string_view setting, std::string_view type) {
    if (library.name != "Open MPI") return "romio";
    const bool has_ompio = setting.find("ompio") != std::string_view::npos;
    const std::size_t romio = setting.find("romio");
    if (setting.substr(0, 1) == "^") {
        if (has_ompio) return "romio";
        if (romio != std::string_view::npos) return "ompio";
    } else if (has_ompio != (romio != std::string_view::npos)) {
        return has_ompio ? "ompio" : std::string(setting.substr(romio, setting.find(',', romio) - romio));
    }
    return type == "lustre" && std::atoi(library.version.c_str()) < 5 ? "romio" : "ompio";
}

std::vector<char> ranks_that_share(MPI_Comm comm, const std::string& folder) {
    const int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);

    struct Told {
        int made = 0;
        std::array<char, 64> name{};
        std::array<char, 16> content{};
    } told;
    std::unique_ptr<Trial> trial;  // on rank 0; lives until all have answered
    if (rank == 0) {
        trial = std::make_unique<Trial>(folder);
        told.content = mark();
        if (trial->made() && ::write(trial->file(), told.content.data(), told.content.size()) ==
                                 static_cast<ssize_t>(told.content.size())) {
            ::fsync(trial->file());
            told.made = 1;
            trial->path().copy(told.name.data(), told.name.size() - 1, folder.size() + 1);
        }
    }
    MPI_Bcast(&told, sizeof told, MPI_BYTE, 0, comm);
    if (told.made == 0) return {};

    // A network file system may show a new file late.
    const std::string path = folder + "/" + told.name.data();
    char found = 0;
    for (int attempt = 0; attempt < 20 && found == 0; ++attempt) {
        if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        found = holds(path, told.content) ? 1 : 0;
    }
    std::vector<char> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
    MPI_Gather(&found, 1, MPI_CHAR, all.data(), 1, MPI_CHAR, 0, comm);
    return all;
}

}  // namespace groundswell::output
