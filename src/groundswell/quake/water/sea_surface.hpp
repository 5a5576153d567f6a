#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/mesh/tetra/slab.hpp"
#include "groundswell/quake/elements/connections.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/elements/side_entries.hpp"

namespace groundswell::quake {

struct SeaParts {
    struct Face {
        std::int32_t batch, element;  ///< of elements; which of these
        int face;                     ///< of that element
        std::int32_t own, beyond;     ///< sides
        double weight, per_z;         ///< see SeaSurface
        std::array<double, 3> normal;
    };
    int order, basis;         ///< functions on a face
    std::vector<Face> faces;  ///< by batches
    std::vector<std::pair<std::int32_t, std::int32_t>>
        of_block;                                      ///< faces of each block of elements, and behind them
    std::array<std::span<const TraceEntry>, 4> trace;  ///< by rows
    std::span<double> eta, series;                     ///< [face][function], [face][derivative][function]
};

/// As those functions of SeaSurface.
class SeaElsewhere {
public:
    virtual ~SeaElsewhere() = default;
    virtual void foresee(int block, double seconds) = 0;
    virtual void step(int block, double seconds) = 0;
};

/// The surface of water under gravity: its displacement η upwards, which is 0 at the start, is an unknown of each face. What is
/// below is the change from water at rest (L. Krenz et al. 2021, doi:10.1145/3458817.3476173, section 3.2).
///
///     p* = ρ g η,    dη/dt = v_n* = v_n + (p − ρ g η)/Z
///
/// with p and v_n of the water below and its impedance Z. On a face all are polynomials in space, and p and v_n Taylor series in
/// time, so that η is one too, without quadrature. To the element below the surface looks like one across, whose pressure is
/// 2 ρ g η − p and which moves with it.
class SeaSurface {
public:
    /// `material`: of the mesh's cells. `gravity`: m s⁻².
    SeaSurface(const tetra::LocalMesh& mesh, std::span<const Material> material,
               const Connections& connections, int order, double gravity);

    bool empty() const { return faces_.empty(); }
    /// η in the step that a block is about to make, from its elements' state at the time `from`, s.
    template <class Real>
    void foresee(Elements<Real>& elements, int block, double from, double seconds);
    /// Writes what the elements of a block meet at the surface in a step of `seconds`, once they have predicted; and η at its end.
    template <class Real>
    void step(Elements<Real>& elements, int block, double seconds);

    /// Number of the face of an owned cell; -1: none of its faces is at the surface.
    std::int32_t face_of(std::int32_t cell) const { return face_of_[cell]; }
    /// Coefficients of η in a face's own coordinates, m: at the start of the step that is foreseen or, after it, at its end.
    std::span<double> eta(std::int32_t face) { return {eta_.data() + first(face), basis_}; }
    std::span<const double> eta(std::int32_t face) const { return {eta_.data() + first(face), basis_}; }
    /// Derivatives of η in time at a place of a face, where its functions have the values `basis`, at the start of the step that is
    /// foreseen: m s⁻ᵏ.
    std::vector<double> series(std::int32_t face, std::span<const double> basis) const;
    /// Potential energy of a face at a time in that step, s; and now, J.
    double energy(std::int32_t face, double time) const;
    double energy(std::int32_t face) const;

    SeaParts parts(const BatchPlaces& places);
    /// Says where it is computed from now on; null: here.
    void move_to(SeaElsewhere* elsewhere) { elsewhere_ = elsewhere; }

private:
    struct Face {
        std::int32_t element, own, beyond;  // sides
        int face;                           // of the element
        double weight;                      // ρ g, Pa m⁻¹
        double per_z;                       // m³ s⁻¹ N⁻¹
        double area;                        // m²
        tetra::Point normal;
        double from = 0.0;  // s, start of the step that is foreseen
    };
    struct BatchOfFaces {
        std::int32_t batch;
        std::vector<std::int32_t> faces;
    };
    std::size_t first(std::int32_t face) const { return static_cast<std::size_t>(face) * basis_; }
    const double* derivative(std::int32_t face, int k) const {
        return series_.data() +
               (static_cast<std::size_t>(face) * (order_ + 1) + static_cast<std::size_t>(k)) * basis_;
    }
    double energy_of(std::int32_t face, std::span<const double> eta) const;
    /// A coefficient of η so many seconds after the start of the step that is foreseen, m.
    double after(std::int32_t face, double seconds, std::size_t function) const;

    int order_;
    std::size_t basis_;  // functions on a face
    std::vector<TraceEntry> trace_[4];
    SeaElsewhere* elsewhere_ = nullptr;
    std::vector<double> mass_;
    std::vector<Face> faces_;
    std::vector<std::int32_t> face_of_;               // [owned cell]
    std::vector<std::vector<BatchOfFaces>> batches_;  // [block]
    std::vector<double> eta_;                         // [face][function]
    std::vector<double> series_;                      // [face][derivative][function]
    std::vector<double> impulse_;                     // [face][function]: ∫ η dt over the step, m s
};

/// base::Refusal on all ranks for a surface with gravity that is not level, or not above water alone. `mesh`: its name.
/// Whether there is one. Collective.
bool require_level_sea(MPI_Comm comm, const std::string& mesh, const tetra::Slab& slab,
                       std::span<const Material> material);

}  // namespace groundswell::quake
