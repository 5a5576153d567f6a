#include "groundswell/graph/partition_method.hpp"

#include <array>
#include <utility>

#include "groundswell/base/errors.hpp"

namespace groundswell::graph {
namespace {

constexpr std::array<std::pair<PartitionMethod, std::string_view>, 5> names = {
    {{PartitionMethod::two_level, "two-level"},
     {PartitionMethod::plain, "plain"},
     {PartitionMethod::scattered, "scattered"},
     {PartitionMethod::curve, "curve"},
     {PartitionMethod::file, "file"}}};

}  // namespace

PartitionMethod partition_method(std::string_view text, std::string_view where, std::string_view key) {
    for (const auto& [method, name] : names)
        if (text == name && method != PartitionMethod::file) return method;
    base::refuse(where, key, text, "two-level, plain, curve or scattered");
}

std::string_view name(PartitionMethod wanted) {
    for (const auto& [method, name] : names)
        if (method == wanted) return name;
    GS_ASSERT(false);
}

}  // namespace groundswell::graph
