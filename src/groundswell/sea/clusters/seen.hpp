#pragma once

namespace groundswell::sea {

/// Meaning of a cell for those who read its image.
enum class Seen {
    as_it_is,
    half,         ///< of what it is
    and_half,     ///< added to what the image has: so much
    at_half_time  ///< its profile at half time, which the image has
};

}  // namespace groundswell::sea
