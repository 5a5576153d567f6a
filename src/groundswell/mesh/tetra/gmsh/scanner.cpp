#include "groundswell/mesh/tetra/gmsh/scanner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::tetra::gmsh {

namespace {

constexpr std::size_t piece = std::size_t{1} << 18;  // bytes that are read at a time
constexpr std::size_t longest = 4096;                // bytes of a word, or of a line that is kept

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

Scanner::Scanner(const std::string& path) : path_(path), buffer_(piece) {
    base::require_plain_file(path);
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0)
        base::refuse(path, "", "", fmt::format("a Gmsh mesh that can be read ({})", std::strerror(errno)));
    size_ = status.st_size;
}

Scanner::~Scanner() {
    if (file_ >= 0) ::close(file_);
}

void Scanner::refuse(const std::string& key, const std::string& value, const std::string& expected) const {
    const std::string where = binary ? fmt::format("{}: near byte {}", path_, spot_.offset)
                                     : fmt::format("{}:{}", path_, spot_.line);
    base::refuse(where, key, base::shortened(value), expected);
}

void Scanner::go_to(const Spot& spot) {
    // What the buffer holds may hold that place too.
    const std::int64_t ahead = spot.offset - spot_.offset;
    if (ahead >= 0 && ahead <= static_cast<std::int64_t>(held_ - at_)) {
        at_ += static_cast<std::size_t>(ahead);
    } else {
        at_ = held_ = 0;
    }
    spot_ = spot;
}

void Scanner::fill() {
    at_ = held_ = 0;
    ssize_t got = 0;
    do {
        got = ::pread(file_, buffer_.data(), buffer_.size(), spot_.offset);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        base::refuse(path_, "", "", fmt::format("a Gmsh mesh that can be read ({})", std::strerror(errno)));
    if (got == 0) refuse("", "the file ends", "a whole mesh: the file is cut short or damaged");
    held_ = static_cast<std::size_t>(got);
    read_ += got;
}

char Scanner::next() {
    if (at_ == held_) fill();
    const char c = buffer_[at_++];
    ++spot_.offset;
    if (c == '\n') ++spot_.line;
    return c;
}

std::string_view Scanner::word() {
    word_.clear();
    char c = next();
    while (is_blank(c) || c == '\n') c = next();
    while (true) {
        word_ += c;
        if (word_.size() > longest) refuse("", word_.substr(0, 20) + "…", "a word of Gmsh's format MSH");
        // The blank behind a word belongs to what follows; the file may end with the word.
        if (bytes_left() == 0) break;
        if (at_ == held_) fill();
        c = buffer_[at_];
        if (is_blank(c) || c == '\n') break;
        next();
    }
    return word_;
}

std::string Scanner::rest_of_line() {
    std::string line;
    while (bytes_left() > 0) {
        const char c = next();
        if (c == '\n') break;
        line += c;
        if (line.size() > longest) refuse("", line.substr(0, 20) + "…", "a line of Gmsh's format MSH");
    }
    while (!line.empty() && is_blank(line.back())) line.pop_back();
    return line;
}

void Scanner::end_line() {
    const Spot here = spot_;
    const std::string rest = rest_of_line();
    if (std::ranges::all_of(rest, is_blank)) return;
    spot_.line = here.line;
    refuse("", rest, "the end of the line");
}

void Scanner::skip_lines(std::int64_t lines) {
    while (lines > 0) {
        if (at_ == held_) fill();
        const char* from = buffer_.data() + at_;
        const void* end = std::memchr(from, '\n', held_ - at_);
        const std::size_t passed =
            end == nullptr ? held_ - at_ : static_cast<std::size_t>(static_cast<const char*>(end) - from) + 1;
        at_ += passed;
        spot_.offset += static_cast<std::int64_t>(passed);
        if (end != nullptr) ++spot_.line, --lines;
    }
}

void Scanner::skip_bytes(std::int64_t bytes) {
    if (bytes > bytes_left()) refuse("", "the file ends", "a whole mesh: the file is cut short or damaged");
    go_to({spot_.offset + bytes, spot_.line});
}

void Scanner::skip_past(std::string_view text) {
    for (std::size_t found = 0; found < text.size();) {
        const char c = next();
        found = c == text[found] ? found + 1 : c == text[0] ? 1 : 0;
    }
}

template <class T>
T Scanner::raw() {
    std::array<char, sizeof(T)> bytes{};
    for (char& byte : bytes) byte = next();
    return std::bit_cast<T>(bytes);
}

std::int64_t Scanner::integer(const char* what) {
    const std::string_view text = word();
    const auto value = base::parse_number<std::int64_t>(text);
    if (!value) refuse(what, std::string(text), "a whole number");
    return *value;
}

std::int64_t Scanner::small(const char* what) {
    return binary ? raw<std::int32_t>() : integer(what);
}

std::int64_t Scanner::count(const char* what) {
    const std::int64_t value = binary ? raw<std::int64_t>() : integer(what);
    if (value < 0) refuse(what, std::to_string(value), "0 or more");
    return value;
}

std::int64_t Scanner::index(const char* what) {
    if (!narrow) return count(what);
    const std::int64_t value = small(what);
    if (value < 0) refuse(what, std::to_string(value), "0 or more");
    return value;
}

void Scanner::pass(std::int64_t numbers, std::int64_t bytes) {
    if (binary) return skip_bytes(numbers * bytes);
    for (std::int64_t i = 0; i < numbers; ++i) word();
}

double Scanner::real(const char* what) {
    if (binary) {
        const auto value = raw<double>();
        if (!std::isfinite(value)) refuse(what, fmt::format("{}", value), "a finite number");
        return value;
    }
    const std::string_view text = word();
    const auto value = base::parse_number<double>(text);
    if (!value || !std::isfinite(*value)) refuse(what, std::string(text), "a finite number");
    return *value;
}

}  // namespace groundswell::tetra::gmsh
