#pragma once

#include <string>

namespace groundswell::output {

/// Reason why MPI-IO cannot open a file on so many ranks now, for people; empty: it can. OMPIO keeps a semaphore for
/// each open file (of its shared file pointer, which nobody uses here), for which every rank wants a page of
/// /dev/shm. A rank that gets none fails with an unknown error, and the others wait for it for ever. Not
/// collective: ranks may find different answers.
std::string missing_shared_memory(int ranks);

}  // namespace groundswell::output
