#pragma once

#include <cstdint>
#include <vector>

namespace groundswell::sea {

/// Islands and reefs smaller than a cell, as transparencies of the faces between cells (Tolman 2003, Ocean Modelling 5, 219–231,
/// section 2): of the flux F that leaves a cell through a face, α F enters the next one, 0 ≤ α ≤ 1,
///
///     N_i' = N_i + Δt/A_i (Σ α_e F_e over what enters − Σ F_e over what leaves).
///
/// with F of waves and current together where there is one. What is blocked, (1 − α) F ≥ 0, is dissipated. The paper has one α for each axis of its grid; here each face has one for each
/// direction of travel.
struct Obstruction {
    int directions = 0;  ///< a multiple of 4
    /// [edge of the mesh, as LocalMesh counts them] row of `transparency`; -1 where all passes.
    std::vector<std::int32_t> row;
    /// [row][directions] α of waves that travel towards 2π j/directions, anticlockwise from the local east at the face.
    std::vector<float> transparency;

    /// Between the file's directions linear. `towards`: rad, any.
    double at(std::int32_t row, double towards) const;
};

}  // namespace groundswell::sea
