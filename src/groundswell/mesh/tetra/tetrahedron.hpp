#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace groundswell::tetra {

using Point = std::array<double, 3>;

/// The corners of each face of a tetrahedron, ascending. Face f lies opposite to corner 3 - f.
inline constexpr std::array<std::array<int, 3>, 4> face_corners{{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}};

/// Kind of boundary at a face, by the numbers of PUML meshes. Every number above 64 is a fault too: that of this tag.
enum class Boundary : std::uint16_t {
    none = 0,       ///< another tetrahedron
    free = 1,       ///< the surface of the ground: no traction
    sea = 2,        ///< the surface of water under gravity
    fault = 3,      ///< another tetrahedron, and a fault between the two
    absorbing = 5,  ///< waves leave, none comes in
};
inline constexpr int highest_fault_tag = 65535;

constexpr int tag_of(Boundary boundary) {
    return static_cast<int>(boundary);
}
constexpr bool is_fault_tag(std::int64_t tag) {
    return tag == tag_of(Boundary::fault) || (tag > 64 && tag <= highest_fault_tag);
}
constexpr bool is_fault(Boundary boundary) {
    return is_fault_tag(tag_of(boundary));
}
/// Whether above lies the air.
constexpr bool is_surface(Boundary boundary) {
    return boundary == Boundary::free || boundary == Boundary::sea;
}
/// Meaning of a tag in a file; nothing where no boundary has it.
constexpr std::optional<Boundary> boundary_of_tag(std::int64_t tag) {
    for (const Boundary boundary : {Boundary::none, Boundary::free, Boundary::sea, Boundary::absorbing}) {
        if (tag == tag_of(boundary)) return boundary;
    }
    if (!is_fault_tag(tag)) return std::nullopt;
    return static_cast<Boundary>(tag);
}

/// The neighbour across a face.
struct Across {
    std::int64_t cell = -1;  ///< -1: nothing
    std::int32_t face = 0;   ///< of that cell
};

/// A tetrahedron with its corners in ascending order of their vertices. Two tetrahedra that share a face then
/// have its corners in the same order, and no face needs to be turned to meet the other.
struct Tetrahedron {
    std::array<std::int64_t, 4> vertex{};             ///< in a periodic mesh equal for places that are one
    std::array<Point, 4> place{};                     ///< m
    std::array<Boundary, 4> boundary{};               ///< by face
    std::array<std::uint8_t, 4> in_file{0, 1, 2, 3};  ///< by corner: which of the cell's it is in the file
    std::uint8_t plus_faces =
        0;  ///< bit f: the cell is on the + side of the fault at face f; see mark_plus_sides()

    bool is_plus(int face) const { return (plus_faces >> face & 1U) != 0; }
    void set_plus(int face) { plus_faces |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(face)); }
};

/// Brings the corners into the order that Tetrahedron asks for.
void sort_corners(Tetrahedron& cell);

/// m.
Point centre_of(const Tetrahedron& cell);
/// Where reference coordinates (see Geometry) lie in a tetrahedron, m. On a face that two share both come to the same bits, as
/// they have its corners in the same order.
Point place_in(const std::array<Point, 4>& corners, const std::array<double, 3>& reference);

/// Shape of a tetrahedron. The first corner is the origin of the reference coordinates ξ, the others lie one along
/// each of its axes.
struct Geometry {
    double volume = 0.0;                              ///< m³, positive whatever the order of the corners
    std::array<std::array<double, 3>, 3> gradient{};  ///< ∂ξ_d/∂x_j, m⁻¹
    std::array<Point, 4> normal{};                    ///< of the faces, outward, of length 1
    std::array<double, 4> area{};                     ///< of the faces, m²

    /// Radius of the sphere that touches all faces: 3 V / Σ A.
    double inscribed_radius() const { return 3.0 * volume / (area[0] + area[1] + area[2] + area[3]); }
};

Geometry geometry_of(const std::array<Point, 4>& place);

/// The lengths of the six edges, m.
std::array<double, 6> edges_of(const std::array<Point, 4>& place);

/// Three times the radius of the sphere inside over that of the sphere through the corners: 1 for a regular tetrahedron, 0 for
/// a flat one.
double radius_ratio(const std::array<Point, 4>& place);

/// Whether the corners stand the wrong way round.
bool is_inverted(const Tetrahedron& cell);

/// base::Refusal for a cell of a file that is flat, has a corner twice or a place that is no number, or whose corners stand
/// the wrong way round, which tells of a damaged file. `path` and `row` name it.
void check_shape(const Tetrahedron& cell, const std::string& path, std::int64_t row);

inline Point operator-(const Point& a, const Point& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline Point cross(const Point& a, const Point& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline double dot(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace groundswell::tetra
