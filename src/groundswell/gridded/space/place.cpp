#include "groundswell/gridded/space/place.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groundswell::gridded {

void Region::add(const Place& place) {
    for (int j = 0; j < 3; ++j) {
        lowest[j] = std::min(lowest[j], place[j]);
        highest[j] = std::max(highest[j], place[j]);
    }
}

std::string show(const Place& place) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", place[0], place[1], place[2]);
}

}  // namespace groundswell::gridded
