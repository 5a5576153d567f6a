#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// Two families of errors. What a user can fix is a Refusal (bad input, found before the first step) or a
/// RunFailure (disk, blow-up, lost peer: found during the run). What only we can fix is a Defect.
/// The program turns each into its exit code; libraries only throw.
namespace groundswell::base {

enum class ExitCode : int { done = 0, negative = 1, refused = 2, failed = 3, defect = 4 };

/// Input that cannot be used; nothing has been computed or written yet. Exit code 2.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A failure during the run; what was written before stays valid. Exit code 3.
struct RunFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A broken promise of our own code. Exit code 4.
struct Defect : std::logic_error {
    using std::logic_error::logic_error;
};

/// The one form of a message about input: "WHERE: KEY = VALUE: expected EXPECTED".
/// `where` is a file or file:line; an empty `key` leaves out "KEY = VALUE", an empty `value` leaves out "=
/// VALUE".
std::string describe(std::string_view where, std::string_view key, std::string_view value,
                     std::string_view expected);

/// Throws a Refusal with the message of describe().
[[noreturn]] void refuse(std::string_view where, std::string_view key, std::string_view value,
                         std::string_view expected);

/// refuse() unless `condition` holds.
inline void require(bool condition, std::string_view where, std::string_view key, std::string_view value,
                    std::string_view expected) {
    if (!condition) refuse(where, key, value, expected);
}

/// Refuses an input that is there but no plain file: opening a pipe waits for a writer that may never come,
/// and what came through it could not be read a second time or by another rank. What is not there is left to
/// the reader, who knows what it should be.
void require_plain_file(const std::string& path);

/// Throws a Defect that names the place; called by GS_ASSERT.
[[noreturn]] void report_defect(const char* condition, const char* file, int line);

}  // namespace groundswell::base

/// Always on: checks for our own mistakes outside hot loops.
#define GS_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::groundswell::base::report_defect(#condition, __FILE__, __LINE__))
