#include "groundswell/quake/mesh/strays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::quake {

namespace {

constexpr std::size_t most_listed = 100;

}  // namespace

void Strays::add(const std::string& name, const tetra::Point& place, const std::string& remark) {
    texts_.push_back(
        fmt::format("{} [{:.8g}, {:.8g}, {:.8g}] ({})", name, place[0], place[1], place[2], remark));
}

void Strays::refuse(MPI_Comm comm, const std::string& where, const std::string& key, std::size_t all,
                    const std::string& expected) const {
    if (texts_.empty()) return;
    parallel::agree(comm, [&] {
        const auto end = texts_.begin() + static_cast<std::ptrdiff_t>(std::min(texts_.size(), most_listed));
        std::string list = fmt::format("{}", fmt::join(texts_.begin(), end, ", "));
        if (texts_.size() > most_listed) list += fmt::format(" and {} more", texts_.size() - most_listed);
        if (all > 1) list = fmt::format("{} of {}: {}", texts_.size(), all, list);
        base::refuse(where, key, list, expected);
    });
}

}  // namespace groundswell::quake
