#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

/// A text file of numbers, line by line, with refusals that name the line.
class NumberLines {
public:
    /// base::Refusal for a file that cannot be read.
    explicit NumberLines(std::string path);

    /// To the next line; false at the end of the file.
    bool next();
    /// To the next line that is neither empty nor begins with #; false at the end of the file.
    bool next_with_content();

    std::int64_t number() const { return number_; }
    const std::string& text() const { return line_; }
    std::string_view first_word() const;
    std::string place() const { return fmt::format("{}:{}", path_, number_); }  ///< FILE:LINE

    /// The numbers of this line, all of them finite, behind what is in `numbers`. `expected`: what they are, for people.
    void append_to(std::vector<double>& numbers, std::string_view expected) const;
    /// The same; refuses another count of them.
    std::vector<double> numbers(std::size_t count, std::string_view expected) const;
    /// A whole number from 0 to 1e9 out of numbers(); refuses others. `what` it counts.
    std::int64_t count(double number, std::string_view what) const;
    [[noreturn]] void refuse(std::string_view expected) const { base::refuse(place(), "", line_, expected); }
    /// Refuses a file that ends where more is expected.
    [[noreturn]] void refuse_end(std::string_view expected) const {
        base::refuse(place(), "", "the end of the file", expected);
    }

private:
    std::string path_, line_;
    std::ifstream file_;
    std::int64_t number_ = 0;
};

}  // namespace groundswell::quake
