#include "groundswell/output/formats/hdf5/hdf5_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/disk/mpi_io_memory.hpp"

namespace groundswell::output {

void make_file(const std::string& path, const MpiHints* hints) {
    if (hints == nullptr) {
        const int made = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        if (made < 0)
            throw base::RunFailure(fmt::format("{}: cannot create: {}", path, std::strerror(errno)));
        ::close(made);
        return;
    }
    MPI_File made = MPI_FILE_NULL;
    const int mode = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;
    int status = MPI_File_open(MPI_COMM_SELF, path.c_str(), mode, hints->get(), &made);
    if (status == MPI_SUCCESS) status = MPI_File_close(&made);
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (status == MPI_SUCCESS) return;
    MPI_Error_string(status, text, &length);
    const std::string missing = missing_shared_memory(1);
    throw base::RunFailure(
        fmt::format("{}: cannot create: {}", path, missing.empty() ? why_not_made(path, text) : missing));
}

int open_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
        throw base::RunFailure(fmt::format("{}: cannot open for writing: {}", path, std::strerror(errno)));
    return file;
}

void shorten(int file, const std::string& path, std::int64_t bytes) {
    if (::ftruncate(file, static_cast<off_t>(bytes)) != 0)
        throw base::RunFailure(fmt::format("{}: cannot be shortened: {}", path, std::strerror(errno)));
}

}  // namespace groundswell::output
