#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/fault/law.hpp"
#include "groundswell/quake/material.hpp"

/// What acts on a fault, as a case file says it: where it lies, which law it follows, and at each of its places the initial
/// stress and the numbers of the law.
namespace groundswell::quake {

/// Directions at a place of a fault, each of length 1.
struct FaultFrame {
    std::array<double, 3> normal;  ///< from the + side to the − side
    std::array<double, 3> strike;  ///< horizontal: up × … see frame_of
    std::array<double, 3> dip;     ///< downwards, across strike in the fault
};

/// The frame of a face with this normal: strike is (n_y, −n_x, 0), of length 1, and dip the direction across it in the face
/// that goes down; a horizontal face has strike along x and dip along y turned so that the frame is as that of a face that
/// dips gently towards −y.
FaultFrame frame_of(const std::array<double, 3>& normal);

/// At one place of a fault.
struct FaultPoint {
    /// Initial traction on the − side's… in the frame: normal (tension positive), along strike, along dip; Pa.
    std::array<double, 3> traction{};
    /// What is added to it from the start to the end of the nucleation, in the same way.
    std::array<double, 3> nucleation{};
    /// [LawDescription::at_places]
    std::vector<double> parameter;
};

struct FaultOptions;  // the section [fault] as read

}  // namespace groundswell::quake
