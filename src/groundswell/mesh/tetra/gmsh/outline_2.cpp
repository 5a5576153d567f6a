#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "groundswell/mesh/tetra/gmsh/outline.hpp"

// The format: https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format-version-2-_0028Legacy_0029
namespace groundswell::tetra::gmsh {

namespace {

constexpr std::int64_t most_tags = 1000;  // of an element

// The line that a section begins with is a text in binary files too.
std::int64_t head(Scanner& scanner, const char* what) {
    const bool binary = std::exchange(scanner.binary, false);
    const std::int64_t rows = scanner.count(what);
    scanner.end_line();
    scanner.binary = binary;
    return rows;
}

// The end of a row of which so many bytes are left.
void end_row(Scanner& scanner, std::int64_t bytes) {
    if (scanner.binary) {
        scanner.skip_bytes(bytes);
    } else {
        scanner.skip_lines(1);
    }
}

// Gathers elements one by one into runs of those that lie one behind the other and are alike.
class Elements {
public:
    Elements(Outline& outline, Groups& groups, const std::string& path)
        : outline_(outline), groups_(groups), path_(path) {}

    void add(const Scanner& scanner, const Spot& spot, const Kind& kind, std::int64_t tags,
             std::int64_t physical) {
        const bool same = runs_ != nullptr && kind.type == type_ && tags == tags_ && physical == physical_;
        if (!same || (*runs_).back().rows == rows_of_text) begin(scanner, spot, kind, tags, physical);
        if (runs_ == nullptr) return;
        ++runs_->back().rows;
        ++*row_;
        if (kind.type == second_order) ++outline_.curved;
    }
    // What follows lies behind something else.
    void stop() { runs_ = nullptr; }

private:
    void begin(const Scanner& scanner, const Spot& spot, const Kind& kind, std::int64_t tags,
               std::int64_t physical) {
        type_ = kind.type;
        tags_ = tags;
        physical_ = physical;
        runs_ = nullptr;
        if (kind.corners < 3) return;
        const int dimension = kind.corners - 1;
        if (physical != 0) groups_.of[{dimension, physical}] = {physical};
        std::int64_t meaning = 0;
        if (dimension == 2) {
            const Boundary boundary = groups_.boundary(physical, path_);
            if (boundary == Boundary::none) return;
            meaning = static_cast<std::int64_t>(boundary);
        } else {
            meaning = groups_.material(physical, path_);
        }
        runs_ = dimension == 2 ? &outline_.triangle_runs : &outline_.tetrahedron_runs;
        row_ = dimension == 2 ? &outline_.triangles : &outline_.tetrahedra;
        // In a text the type and the number of tags stand in each row.
        const std::int64_t ahead = tags + (scanner.binary ? 0 : 2);
        runs_->push_back(
            {*row_, 0, spot, 4 * (1 + tags + kind.nodes), ahead, kind.nodes - kind.corners, meaning});
    }

    Outline& outline_;
    Groups& groups_;
    const std::string& path_;
    std::vector<Run>* runs_ = nullptr;  // of the last element, if it is wanted
    std::int64_t* row_ = nullptr;
    std::int64_t type_ = 0, tags_ = 0, physical_ = 0;
};

std::int64_t physical_of(Scanner& scanner, std::int64_t tags) {
    return tags > 0 ? std::abs(scanner.small("physical group")) : 0;
}

std::int64_t read_tags(Scanner& scanner) {
    const std::int64_t tags = scanner.small("number of tags");
    if (tags < 0 || tags > most_tags)
        scanner.refuse("number of tags", std::to_string(tags), fmt::format("0 to {}", most_tags));
    return tags;
}

}  // namespace

void read_nodes_2(Scanner& scanner, Outline& outline) {
    outline.nodes = head(scanner, "number of nodes");
    constexpr std::int64_t place_bytes = 24, bytes = 4 + place_bytes;
    for (std::int64_t row = 0; row < outline.nodes; ++row) {
        if (row % rows_of_text == 0) {
            const std::int64_t rows = std::min(rows_of_text, outline.nodes - row);
            outline.tags.push_back({row, rows, scanner.spot(), bytes, 0, 3});
            outline.places.push_back({row, rows, scanner.spot(), bytes, 1, 0});
        }
        const std::int64_t tag = scanner.index("tag of a node");
        outline.lowest_tag = row == 0 ? tag : std::min(outline.lowest_tag, tag);
        outline.highest_tag = std::max(outline.highest_tag, tag);
        end_row(scanner, place_bytes);
    }
}

void read_elements_2(Scanner& scanner, Outline& outline, Groups& groups, const std::string& path) {
    const std::int64_t elements = head(scanner, "number of elements");
    Elements all(outline, groups, path);
    for (std::int64_t done = 0; done < elements;) {
        Spot spot = scanner.spot();
        if (!scanner.binary) {
            scanner.index("tag of an element");
            const Kind& kind = kind_of(scanner, scanner.small("type of elements"));
            const std::int64_t tags = read_tags(scanner), physical = physical_of(scanner, tags);
            all.add(scanner, spot, kind, tags, physical);
            scanner.skip_lines(1);
            ++done;
            continue;
        }
        const Kind& kind = kind_of(scanner, scanner.small("type of elements"));
        const std::int64_t rows = scanner.small("number of elements in a block"), tags = read_tags(scanner);
        if (rows < 1 || rows > elements - done)
            scanner.refuse("number of elements in a block", std::to_string(rows),
                           fmt::format("1 to {}, the elements that are left", elements - done));
        all.stop();
        for (std::int64_t i = 0; i < rows; ++i, ++done) {
            spot = scanner.spot();
            scanner.index("tag of an element");
            const std::int64_t physical = physical_of(scanner, tags);
            all.add(scanner, spot, kind, tags, physical);
            scanner.skip_bytes(4 * (kind.nodes + std::max<std::int64_t>(tags - 1, 0)));
        }
    }
}

}  // namespace groundswell::tetra::gmsh
