#include "groundswell/parallel/machine/adapters.hpp"

#include <algorithm>
#include <map>
#include <system_error>

namespace groundswell::parallel {

namespace fs = std::filesystem;

namespace {

std::ptrdiff_t in_common(const fs::path& one, const fs::path& other) {
    return std::distance(one.begin(), std::ranges::mismatch(one, other).in1);
}

}  // namespace

std::vector<std::string> nearest_adapters(const std::string& bus, const fs::path& system) {
    std::error_code none;
    const fs::path device = fs::canonical(system / "bus/pci/devices" / bus, none);
    if (bus.empty() || none) return {};
    for (const char* const kind : {"class/infiniband", "class/net"}) {
        std::map<std::ptrdiff_t, std::vector<std::string>> found;  // by how much they have in common
        for (const fs::directory_entry& entry : fs::directory_iterator(system / kind, none)) {
            std::error_code virtual_one;
            const fs::path adapter = fs::canonical(entry.path() / "device", virtual_one);
            if (!virtual_one) found[in_common(device, adapter)].push_back(entry.path().filename());
        }
        if (found.empty()) continue;
        std::vector<std::string>& nearest = found.rbegin()->second;
        std::ranges::sort(nearest);
        return nearest;
    }
    return {};
}

}  // namespace groundswell::parallel
