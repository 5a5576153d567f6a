#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace groundswell::tetra::gmsh {

/// A place in a file, and the line that it lies in; of a binary file the line means nothing.
struct Spot {
    std::int64_t offset = 0, line = 1;
};

/// Reads words and bytes of a file from any place on, through a buffer of fixed size. base::Refusal that names file and place
/// where the file ends early or does not hold what it should.
class Scanner {
public:
    explicit Scanner(const std::string& path);
    ~Scanner();
    Scanner& operator=(Scanner&&) = delete;  // neither copied nor moved

    /// Whether numbers are bytes; else they are words.
    bool binary = false;
    /// Whether those that count nodes and elements have 4 bytes, as in MSH 2; else 8.
    bool narrow = false;

    const Spot& spot() const { return spot_; }
    std::int64_t bytes_left() const { return size_ - spot_.offset; }
    std::int64_t bytes_read() const { return read_; }  ///< from the disk so far
    void go_to(const Spot& spot);

    /// The next word; what holds it lasts until the next call.
    std::string_view word();
    /// The rest of a line, without its end.
    std::string rest_of_line();
    /// Only blanks are left of the line.
    void end_line();
    void skip_lines(std::int64_t lines);
    void skip_bytes(std::int64_t bytes);
    /// Everything up to this text, which begins with a character that it does not hold again, and the text.
    void skip_past(std::string_view text);

    /// Numbers of 4 and of 8 bytes. `what` names them in a refusal.
    std::int64_t small(const char* what);
    std::int64_t count(const char* what);  ///< 0 or more
    double real(const char* what);
    /// The number of a node or an element, 0 or more.
    std::int64_t index(const char* what);
    std::int64_t index_bytes() const { return narrow ? 4 : 8; }
    /// Goes past numbers that nobody wants, in a binary file of so many bytes each.
    void pass(std::int64_t numbers, std::int64_t bytes);

    [[noreturn]] void refuse(const std::string& key, const std::string& value,
                             const std::string& expected) const;

private:
    char next();
    void fill();
    std::int64_t integer(const char* what);
    template <class T>
    T raw();

    std::string path_, word_;
    int file_ = -1;
    std::int64_t size_ = 0, read_ = 0;
    Spot spot_;
    std::vector<char> buffer_;
    std::size_t at_ = 0, held_ = 0;  // in the buffer
};

}  // namespace groundswell::tetra::gmsh
