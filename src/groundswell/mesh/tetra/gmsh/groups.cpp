#include "groundswell/mesh/tetra/gmsh/outline.hpp"

#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::tetra::gmsh {

namespace {

// Small letters, and one blank for any other run of signs.
std::string plain(const std::string& name) {
    std::string words;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!words.empty() && words.back() != ' ') {
            words += ' ';
        }
    }
    while (!words.empty() && words.back() == ' ') words.pop_back();
    return words;
}

// As in PUML meshes, or 100 more, as geometries for PUMGen have it.
std::optional<Boundary> by_number(std::int64_t number) {
    const std::optional<Boundary> boundary = boundary_of_tag(number > 100 ? number - 100 : number);
    return boundary == Boundary::none ? std::nullopt : boundary;
}

// A fault keeps its number where that is one of a fault.
std::optional<Boundary> by_name(const std::string& name, std::int64_t number) {
    if (name == "free surface" || name == "free") return Boundary::free;
    if (name == "sea surface" || name == "sea") return Boundary::sea;
    if (name == "absorbing" || name == "absorbing boundary") return Boundary::absorbing;
    if (!name.starts_with("fault") && name != "dynamic rupture") return std::nullopt;
    const std::optional<Boundary> numbered = by_number(number);
    return numbered && is_fault(*numbered) ? *numbered : Boundary::fault;
}

constexpr const char* known =
    "one that says what lies there: by name 'free surface', 'sea surface', 'absorbing' or 'fault…', or by "
    "number 1 or 101 (free surface), 2 or 102 (sea surface), 5 or 105 (absorbing), 3, 103, 65 to 100 or "
    "above 164 (a fault)";

}  // namespace

Boundary Groups::boundary(std::int64_t surface, const std::string& path) const {
    const auto found = of.find({2, surface});
    if (found == of.end()) return Boundary::none;
    std::optional<Boundary> all;
    for (const std::int64_t number : found->second) {
        const auto named = name.find({2, number});
        std::optional<Boundary> one;
        std::string label = std::to_string(number);
        if (named != name.end()) {
            label += fmt::format(" \"{}\"", base::shortened(named->second));
            one = by_name(plain(named->second), number);
        }
        // Gmsh counts groups with a name from 1 on unless told otherwise, so their small numbers say nothing.
        if (!one && (named == name.end() || number > 100)) one = by_number(number);
        base::require(one.has_value(), path, "physical surface", label, known);
        base::require(!all || *all == *one, path, fmt::format("surface {}", surface),
                      "in physical surfaces that say different things", "one boundary");
        all = one;
    }
    return all.value_or(Boundary::none);
}

std::int64_t Groups::material(std::int64_t volume, const std::string& path) const {
    const auto found = of.find({3, volume});
    const std::size_t groups = found == of.end() ? 0 : found->second.size();
    base::require(groups == 1, path, fmt::format("volume {}", volume),
                  groups == 0 ? "in no physical volume" : fmt::format("in {} physical volumes", groups),
                  "one physical volume for each tetrahedron, whose number is its group (meshio keeps its "
                  "gmsh:physical in the form gmsh22 alone)");
    return found->second.front();
}

}  // namespace groundswell::tetra::gmsh
