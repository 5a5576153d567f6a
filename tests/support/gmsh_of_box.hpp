// A box of tetrahedra as a file of Gmsh's forms MSH 4.1 and 2.2.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/box.hpp"

namespace groundswell::tetra::test {

struct GmshOptions {
    bool binary = false;
    double fault_at = -1.0;                                    ///< x of a plane whose triangles are a fault's
    std::string names;                                         ///< section $PhysicalNames, between its ends
    int free = 101, absorbing = 105, fault = 103, volume = 7;  ///< numbers of physical groups; 0: none
    bool inverted = false;                                     ///< corners the wrong way round
    bool version_2 = false;                                    ///< MSH 2.2
    bool curved = false;                                       ///< elements of second order
    double split_at = 1e300;  ///< x of a plane that has nodes for each of its sides
};

/// Tags of nodes have gaps.
inline std::int64_t gmsh_tag(std::int64_t vertex) {
    return 10 + 3 * vertex;
}

class GmshOfBox {
public:
    GmshOfBox(const Box& box, const GmshOptions& options) : options_(options) {
        std::map<std::int64_t, Point> nodes;
        std::map<std::array<std::int64_t, 3>, int> triangles;  // and their surfaces
        std::vector<std::array<std::int64_t, 4>> cells;
        for (std::int64_t c = 0; c < box.cells(); ++c) {
            const Tetrahedron cell = box.cell(c);
            const bool beyond = centre_of(cell)[0] > options.split_at;
            auto tag = [&](int i) {
                const bool doubled = beyond && cell.place[i][0] == options.split_at;
                return gmsh_tag(cell.vertex[i]) + (doubled ? 1 : 0);
            };
            cells.push_back({tag(0), tag(1), tag(2), tag(3)});
            for (int i = 0; i < 4; ++i) nodes[tag(i)] = cell.place[i];
            if (is_inverted(cell) != options.inverted) std::swap(cells.back()[2], cells.back()[3]);
            for (int f = 0; f < 4; ++f) {
                std::array<std::int64_t, 3> corner{};
                bool at_fault = true;
                for (int i = 0; i < 3; ++i) {
                    corner[i] = tag(face_corners[f][i]);
                    at_fault = at_fault && cell.place[face_corners[f][i]][0] == options.fault_at;
                }
                if (cell.boundary[f] != Boundary::none)
                    triangles[corner] = cell.boundary[f] == Boundary::free ? 1 : 2;
                if (at_fault) triangles[corner] = 3;
            }
        }
        text =
            fmt::format("$MeshFormat\n{} {} 8\n", options.version_2 ? "2.2" : "4.1", options.binary ? 1 : 0);
        if (options.binary) small(1);
        end("MeshFormat");
        if (!options.names.empty()) text += "$PhysicalNames\n" + options.names + "\n$EndPhysicalNames\n";
        if (options.version_2) {
            write_nodes_2(nodes);
            write_elements_2(triangles, cells);
            return;
        }
        write_entities();
        write_nodes(nodes);
        write_elements(triangles, cells);
    }

    std::string text;

private:
    template <class T>
    void put(T value) {
        if (options_.binary) {
            text.append(reinterpret_cast<const char*>(&value), sizeof value);
        } else {
            text += fmt::format("{} ", value);
        }
    }
    void small(int value) { put<std::int32_t>(value); }
    void count(std::int64_t value) { put<std::int64_t>(value); }
    void real(double value) { put<double>(value); }
    void line() {
        if (!options_.binary) text.back() = '\n';
    }
    void end(const char* section) { text += fmt::format("{}$End{}\n", options_.binary ? "\n" : "", section); }

    void write_entities() {
        text += "$Entities\n";
        for (const int number : {0, 0, 3, 1}) count(number);
        line();
        const auto entity = [&](int tag, int group) {
            small(tag);
            for (const double bound : {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}) real(bound);
            count(group == 0 ? 0 : 1);
            if (group != 0) small(group);
            count(1);
            small(-5);
            line();
        };
        entity(1, options_.free);
        entity(2, options_.absorbing);
        entity(3, options_.fault);
        entity(1, options_.volume);
        end("Entities");
    }
    void write_nodes(const std::map<std::int64_t, Point>& nodes) {
        text += "$Nodes\n";
        // Two blocks, the second with a parameter that nobody wants.
        const auto half = static_cast<std::int64_t>(nodes.size()) / 2;
        const auto all = static_cast<std::int64_t>(nodes.size());
        count(2);
        count(all);
        count(nodes.begin()->first);
        count(nodes.rbegin()->first);
        line();
        auto node = nodes.begin();
        for (const int block : {0, 1}) {
            small(block + 1);
            small(1);
            small(block);
            const std::int64_t rows = block == 0 ? half : all - half;
            count(rows);
            line();
            auto other = node;
            for (std::int64_t i = 0; i < rows; ++i, ++node) {
                count(node->first);
                line();
            }
            for (std::int64_t i = 0; i < rows; ++i, ++other) {
                for (const double x : other->second) real(x);
                for (int j = 0; j < (block == 1 ? 2 : 0); ++j) real(0.5);
                line();
            }
        }
        end("Nodes");
    }
    void write_elements(const std::map<std::array<std::int64_t, 3>, int>& triangles,
                        const std::vector<std::array<std::int64_t, 4>>& cells) {
        text += "$Elements\n";
        std::set<int> surfaces;
        for (const auto& [corner, surface] : triangles) surfaces.insert(surface);
        count(static_cast<std::int64_t>(surfaces.size()) + 2);
        count(static_cast<std::int64_t>(triangles.size() + cells.size()) + 1);
        count(1);
        count(static_cast<std::int64_t>(triangles.size() + cells.size()) + 1);
        line();
        std::int64_t tag = 0;
        const auto block = [&](int dimension, int entity, int type, std::int64_t rows) {
            for (const int value : {dimension, entity, type}) small(value);
            count(rows);
            line();
        };
        const auto element = [&](const auto& corners) {
            count(++tag);
            for (const std::int64_t node : corners) count(node);
            for (std::size_t i = 0; i < between(corners.size()); ++i) count(corners[0]);
            line();
        };
        block(0, 1, 15, 1);
        element(std::array<std::int64_t, 1>{gmsh_tag(0)});
        for (const int surface : surfaces) {
            std::int64_t rows = 0;
            for (const auto& one : triangles) rows += one.second == surface ? 1 : 0;
            block(2, surface, options_.curved ? 9 : 2, rows);
            for (const auto& one : triangles) {
                if (one.second == surface) element(one.first);
            }
        }
        block(3, 1, options_.curved ? 11 : 4, static_cast<std::int64_t>(cells.size()));
        for (const auto& cell : cells) element(cell);
        end("Elements");
    }

    // Nodes on the edges of an element of second order, which nobody asks for.
    std::size_t between(std::size_t corners) const {
        return !options_.curved ? 0 : corners == 4 ? 6 : corners == 3 ? 3 : 0;
    }

    void write_nodes_2(const std::map<std::int64_t, Point>& nodes) {
        text += fmt::format("$Nodes\n{}\n", nodes.size());
        for (const auto& [tag, place] : nodes) {
            small(static_cast<int>(tag));
            for (const double x : place) real(x);
            line();
        }
        end("Nodes");
    }
    void write_elements_2(const std::map<std::array<std::int64_t, 3>, int>& triangles,
                          const std::vector<std::array<std::int64_t, 4>>& cells) {
        text += fmt::format("$Elements\n{}\n", triangles.size() + cells.size() + 1);
        int tag = 0;
        const auto element = [&](int type, int physical, const auto& corners) {
            if (options_.binary) {
                for (const int number : {type, 1, 2, ++tag}) small(number);
            } else {
                for (const int number : {++tag, type, 2}) small(number);
            }
            for (const int number : {physical, 1}) small(number);
            for (const std::int64_t node : corners) small(static_cast<int>(node));
            for (std::size_t i = 0; i < between(corners.size()); ++i) small(static_cast<int>(corners[0]));
            line();
        };
        element(15, 9, std::array<std::int64_t, 1>{gmsh_tag(0)});
        // Triangles and tetrahedra by turns.
        const int surfaces[] = {0, options_.free, options_.absorbing, options_.fault};
        auto triangle = triangles.begin();
        for (const auto& cell : cells) {
            element(options_.curved ? 11 : 4, options_.volume, cell);
            if (triangle == triangles.end()) continue;
            element(options_.curved ? 9 : 2, surfaces[triangle->second], triangle->first);
            ++triangle;
        }
        for (; triangle != triangles.end(); ++triangle)
            element(options_.curved ? 9 : 2, surfaces[triangle->second], triangle->first);
        end("Elements");
    }

    GmshOptions options_;
};

}  // namespace groundswell::tetra::test
