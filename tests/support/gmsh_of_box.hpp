// A box of tetrahedra as a file of Gmsh's form MSH 4.1.
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
            cells.push_back(cell.vertex);
            if (is_inverted(cell) != options.inverted) std::swap(cells.back()[2], cells.back()[3]);
            for (int i = 0; i < 4; ++i) nodes[cell.vertex[i]] = cell.place[i];
            for (int f = 0; f < 4; ++f) {
                std::array<std::int64_t, 3> corner{};
                bool at_fault = true;
                for (int i = 0; i < 3; ++i) {
                    corner[i] = cell.vertex[face_corners[f][i]];
                    at_fault = at_fault && cell.place[face_corners[f][i]][0] == options.fault_at;
                }
                if (cell.boundary[f] != Boundary::none)
                    triangles[corner] = cell.boundary[f] == Boundary::free ? 1 : 2;
                if (at_fault) triangles[corner] = 3;
            }
        }
        text = fmt::format("$MeshFormat\n4.1 {} 8\n", options.binary ? 1 : 0);
        if (options.binary) small(1);
        end("MeshFormat");
        if (!options.names.empty()) text += "$PhysicalNames\n" + options.names + "\n$EndPhysicalNames\n";
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
        count(gmsh_tag(nodes.begin()->first));
        count(gmsh_tag(nodes.rbegin()->first));
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
                count(gmsh_tag(node->first));
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
            for (const std::int64_t vertex : corners) count(gmsh_tag(vertex));
            line();
        };
        block(0, 1, 15, 1);
        element(std::array<std::int64_t, 1>{0});
        for (const int surface : surfaces) {
            std::int64_t rows = 0;
            for (const auto& one : triangles) rows += one.second == surface ? 1 : 0;
            block(2, surface, 2, rows);
            for (const auto& one : triangles) {
                if (one.second == surface) element(one.first);
            }
        }
        block(3, 1, 4, static_cast<std::int64_t>(cells.size()));
        for (const auto& cell : cells) element(cell);
        end("Elements");
    }

    GmshOptions options_;
};

}  // namespace groundswell::tetra::test
