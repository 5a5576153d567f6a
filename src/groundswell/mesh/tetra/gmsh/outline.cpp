#include "groundswell/mesh/tetra/gmsh/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "groundswell/base/errors.hpp"

// The format: https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format
namespace groundswell::tetra::gmsh {

namespace {

constexpr std::int64_t highest_sane_tag = std::int64_t{1} << 60;

// Adds rows of so many numbers that begin here to `runs`, goes past them. `behind`: how many of the numbers nobody wants.
void pass(Scanner& scanner, std::int64_t rows, std::int64_t numbers, std::int64_t behind,
          std::int64_t meaning, std::int64_t& row, std::vector<Run>* runs) {
    if (scanner.binary && rows > scanner.bytes_left() / (8 * numbers))
        scanner.refuse("", fmt::format("{} rows", rows),
                       "no more than the rest of the file holds: it is cut short or damaged");
    for (std::int64_t left = rows; left > 0;) {
        const std::int64_t some = scanner.binary ? left : std::min(left, rows_of_text);
        if (runs != nullptr) runs->push_back({row, some, scanner.spot(), 8 * numbers, 0, behind, meaning});
        if (scanner.binary) {
            scanner.skip_bytes(8 * numbers * some);
        } else {
            scanner.skip_lines(some);
        }
        row += some;
        left -= some;
    }
}

// The line of a block's or a section's numbers ends.
void end_head(Scanner& scanner) {
    if (!scanner.binary) scanner.end_line();
}

void read_format(Scanner& scanner, const std::string& path) {
    const std::string version(scanner.word());
    const std::string kind(scanner.word()), bytes(scanner.word());
    scanner.narrow = version == "2.2" || version == "2.1" || version == "2";
    if (version != "4.1" && !scanner.narrow)
        scanner.refuse("version of the format", version,
                       fmt::format("4.1 or 2.2: gmsh {} -save -format msh41 -o NEW.msh", path));
    if (kind != "0" && kind != "1") scanner.refuse("file type", kind, "0 (text) or 1 (binary)");
    if (bytes != "8") scanner.refuse("size of a number", bytes, "8");
    scanner.end_line();
    if (kind == "0") return;
    scanner.binary = true;
    const std::int64_t one = scanner.small("byte order");
    if (one != 1)
        scanner.refuse("byte order", std::to_string(one), "1, as a machine like this one would write it");
}

void read_names(Scanner& scanner, Groups& groups) {
    // A text in binary files too.
    const bool binary = std::exchange(scanner.binary, false);
    const std::int64_t names = scanner.count("physical names");
    scanner.end_line();
    for (std::int64_t i = 0; i < names; ++i) {
        const std::int64_t dimension = scanner.small("dimension of a physical name");
        const std::int64_t number = scanner.small("number of a physical name");
        std::string name = scanner.rest_of_line();
        const std::size_t from = name.find('"'), to = name.rfind('"');
        if (from == std::string::npos || to == from) scanner.refuse("physical name", name, "a name in \"\"");
        groups.name[{dimension, number}] = name.substr(from + 1, to - from - 1);
    }
    scanner.binary = binary;
}

void read_entities(Scanner& scanner, Groups& groups) {
    std::array<std::int64_t, 4> entities{};
    for (std::int64_t& number : entities) number = scanner.count("number of entities");
    for (int dimension = 0; dimension < 4; ++dimension) {
        for (std::int64_t i = 0; i < entities[dimension]; ++i) {
            const std::int64_t tag = scanner.small("tag of an entity");
            for (int j = 0; j < (dimension == 0 ? 3 : 6); ++j) scanner.real("bounds of an entity");
            const std::int64_t physical = scanner.count("number of physical groups");
            for (std::int64_t j = 0; j < physical; ++j) {
                // The sign says how the entity is oriented in the group.
                const std::int64_t number = std::abs(scanner.small("physical group"));
                if (dimension >= 2) groups.of[{dimension, tag}].push_back(number);
            }
            const std::int64_t bounding = dimension == 0 ? 0 : scanner.count("number of bounding entities");
            for (std::int64_t j = 0; j < bounding; ++j) scanner.small("bounding entity");
        }
    }
}

void read_nodes(Scanner& scanner, Outline& outline) {
    const std::int64_t blocks = scanner.count("number of blocks");
    outline.nodes = scanner.count("number of nodes");
    outline.lowest_tag = scanner.count("lowest tag of a node");
    outline.highest_tag = scanner.count("highest tag of a node");
    if (outline.highest_tag < outline.lowest_tag || outline.highest_tag > highest_sane_tag)
        scanner.refuse("highest tag of a node", std::to_string(outline.highest_tag),
                       fmt::format("{} to {}", outline.lowest_tag, highest_sane_tag));
    end_head(scanner);
    std::int64_t tags = 0, places = 0;
    for (std::int64_t i = 0; i < blocks; ++i) {
        const std::int64_t dimension = scanner.small("dimension of a block");
        scanner.small("entity of a block");
        const std::int64_t parametric = scanner.small("parametric");
        const std::int64_t rows = scanner.count("number of nodes in a block");
        if (dimension < 0 || dimension > 3)
            scanner.refuse("dimension of a block", std::to_string(dimension), "0 to 3");
        end_head(scanner);
        pass(scanner, rows, 1, 0, 0, tags, &outline.tags);
        const std::int64_t parameters = parametric != 0 ? dimension : 0;
        pass(scanner, rows, 3 + parameters, parameters, 0, places, &outline.places);
    }
    if (tags != outline.nodes)
        scanner.refuse("number of nodes", std::to_string(outline.nodes),
                       fmt::format("{}, as many as there are in all blocks", tags));
}

// Points, lines, triangles and tetrahedra.
constexpr Kind kinds[] = {{15, 1, 1},           {1, 2, 2}, {8, 2, 3}, {2, 3, 3}, {9, 3, 6}, {4, 4, 4},
                          {second_order, 4, 10}};

void read_elements(Scanner& scanner, Outline& outline, const Groups& groups, const std::string& path) {
    const std::int64_t blocks = scanner.count("number of blocks");
    const std::int64_t elements = scanner.count("number of elements");
    scanner.count("lowest tag of an element");
    scanner.count("highest tag of an element");
    end_head(scanner);
    std::int64_t others = 0;
    for (std::int64_t i = 0; i < blocks; ++i) {
        scanner.small("dimension of a block");
        const std::int64_t entity = scanner.small("entity of a block");
        const std::int64_t type = scanner.small("type of elements");
        const std::int64_t rows = scanner.count("number of elements in a block");
        const Kind& kind = kind_of(scanner, type);
        const std::int64_t numbers = 1 + kind.nodes, behind = kind.nodes - kind.corners;
        end_head(scanner);
        if (kind.corners == 3) {
            const Boundary boundary = groups.boundary(entity, path);
            const bool wanted = boundary != Boundary::none;
            pass(scanner, rows, numbers, behind, static_cast<std::int64_t>(boundary),
                 wanted ? outline.triangles : others, wanted ? &outline.triangle_runs : nullptr);
        } else if (kind.corners == 4) {
            if (type == second_order) outline.curved += rows;
            pass(scanner, rows, numbers, behind, rows > 0 ? groups.material(entity, path) : 0,
                 outline.tetrahedra, &outline.tetrahedron_runs);
        } else {
            pass(scanner, rows, numbers, 0, 0, others, nullptr);
        }
    }
    const std::int64_t found = others + outline.triangles + outline.tetrahedra;
    if (found != elements)
        scanner.refuse("number of elements", std::to_string(elements),
                       fmt::format("{}, as many as there are in all blocks", found));
}

}  // namespace

const Kind& kind_of(const Scanner& scanner, std::int64_t type) {
    const auto* kind = std::ranges::find(kinds, type, &Kind::type);
    if (kind == std::end(kinds))
        scanner.refuse(
            "type of elements", std::to_string(type),
            "4 or 11 (tetrahedra), 2 or 9 (triangles), lines or points: no hexahedra, prisms or pyramids, "
            "nothing above second order");
    return *kind;
}

Outline read_outline(const std::string& path) {
    Scanner scanner(path);
    Outline outline;
    Groups groups;
    if (scanner.rest_of_line() != "$MeshFormat")
        base::refuse(path, "", "", "a Gmsh mesh, which begins with $MeshFormat");
    read_format(scanner, path);
    scanner.skip_past("$EndMeshFormat");
    scanner.rest_of_line();
    for (bool nodes = false, elements = false; !elements;) {
        const std::string section = scanner.rest_of_line();
        if (section.empty() && scanner.bytes_left() > 0) continue;
        if (section.empty() || section[0] != '$')
            scanner.refuse("", section.substr(0, 20), "the name of a section, such as $Nodes or $Elements");
        if (section == "$PartitionedEntities")
            scanner.refuse("", section, "a mesh that Gmsh has not cut into parts: each run cuts it itself");
        if (section == "$PhysicalNames") read_names(scanner, groups);
        if (section == "$Entities") read_entities(scanner, groups);
        if (section == "$Nodes" && !std::exchange(nodes, true)) {
            scanner.narrow ? read_nodes_2(scanner, outline) : read_nodes(scanner, outline);
        }
        if (section == "$Elements") {
            if (!nodes) scanner.refuse("", section, "$Nodes before");
            scanner.narrow ? read_elements_2(scanner, outline, groups, path)
                           : read_elements(scanner, outline, groups, path);
            elements = true;
        }
        const std::string end = "$End" + section.substr(1);
        if (section == "$Nodes" || elements) {
            if (const std::string found(scanner.word()); found != end) scanner.refuse("", found, end);
        } else {
            scanner.skip_past(end);
        }
        if (!elements) scanner.rest_of_line();
    }
    outline.binary = scanner.binary;
    outline.narrow = scanner.narrow;
    outline.bytes_read = scanner.bytes_read();
    base::require(outline.tetrahedra > 0, path, "$Elements", "no tetrahedra", "1 or more");
    return outline;
}

}  // namespace groundswell::tetra::gmsh
