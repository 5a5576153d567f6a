#pragma once

#include <mpi.h>

#include <map>
#include <string>

namespace groundswell::output {

/// Refuses hints that the libraries leave out without a word, as those with too long a name, or that they do
/// not survive. `where` is the case file.
void check_hints(const std::map<std::string, std::string>& hints, const std::string& where,
                 const std::string& table);

/// Hints for MPI-IO and the libraries above it, as an MPI_Info.
class MpiHints {
public:
    explicit MpiHints(const std::map<std::string, std::string>& hints) {
        if (hints.empty()) return;
        MPI_Info_create(&info_);
        for (const auto& [key, value] : hints) MPI_Info_set(info_, key.c_str(), value.c_str());
    }
    ~MpiHints() {
        if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
    }
    MpiHints& operator=(MpiHints&&) = delete;  // neither copied nor moved
    MPI_Info get() const { return info_; }

private:
    MPI_Info info_ = MPI_INFO_NULL;
};

/// Reason why MPI-IO cannot open a file on so many ranks now, for people; empty: it can. OMPIO keeps a semaphore for
/// each open file (of its shared file pointer, which nobody uses here), for which every rank wants a page of
/// /dev/shm. A rank that gets none fails with an unknown error, and the others wait for it for ever. Not
/// collective: ranks may find different answers.
std::string missing_shared_memory(int ranks);

}  // namespace groundswell::output
