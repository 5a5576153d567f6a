#include <fstream>
#include <string>
#include <string_view>

#include "groundswell/mesh/tetra/projection/projection.hpp"

namespace groundswell::tetra {

std::string stated_projection(const std::string& path) {
    constexpr std::string_view begin = "$Projection\n", end = "\n$EndProjection";
    std::string head(4096, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (!head.starts_with("$MeshFormat")) return {};
    const std::size_t from = head.find(begin), to = head.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from + begin.size()) return {};
    return head.substr(from + begin.size(), to - from - begin.size());
}

}  // namespace groundswell::tetra
