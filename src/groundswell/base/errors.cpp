#include "groundswell/base/errors.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "groundswell/base/words.hpp"

namespace groundswell::base {

std::string describe(std::string_view where, std::string_view key, std::string_view value,
                     std::string_view expected) {
    // The path of a file is cut only where it is none.
    constexpr std::size_t longest_place = 1000;
    std::string text = where.size() > longest_place ? shortened(where) : std::string(where);
    if (!key.empty()) {
        if (!text.empty()) text += ": ";
        text += shortened(key);
        if (!value.empty()) text += fmt::format(" = {}", shortened(value));
    } else if (!value.empty()) {
        if (!text.empty()) text += ": ";
        text += shortened(value);
    }
    if (!expected.empty()) text += fmt::format(": expected {}", expected);
    return text;
}

void refuse(std::string_view where, std::string_view key, std::string_view value, std::string_view expected) {
    throw Refusal(describe(where, key, value, expected));
}

void report_defect(const char* condition, const char* file, int line) {
    throw Defect(fmt::format("{}:{}: the condition '{}' does not hold", file, line, condition));
}

void require_plain_file(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return;
    refuse(path, "", "",
           S_ISDIR(found.st_mode)    ? "a file, not a folder"
           : S_ISFIFO(found.st_mode) ? "a file, not a pipe"
                                     : "a file, not a device or socket");
}

}  // namespace groundswell::base
