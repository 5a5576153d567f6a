#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace groundswell::gridded {

/// One time of a series that comes from several files.
struct TimeOfSource {
    std::size_t source, step;  ///< the file, and its place in it
    double milliseconds;
};

struct Gap {
    std::size_t record;  ///< it follows this one
    double usual;        ///< ms, the median step
};

/// The first step between two of the records [begin, end) of `all` at which a time is missing.
///
/// With a `longest` step (ms, above 0) it is a longer one. Else a step is none that is no more than 1.5 times as long as
/// others on either side: those before it, or those after it. So a step that grows and stays (hourly, then every three
/// hours) or shrinks and stays is none; a long one among short ones is, and so is a long one alone at an end, for there
/// nothing shows that it stays. Steps inside a file of four times or more are held against that file's own (`own`, ms, of
/// every file, whether later files overlap it or not), others against the whole series.
std::optional<Gap> find_gap(std::span<const TimeOfSource> all, std::span<const std::vector<double>> own,
                            std::size_t begin, std::size_t end, double longest);

}  // namespace groundswell::gridded
