#pragma once

#include <array>
#include <string>
#include <vector>

#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

/// The unknowns as output files name them, in the order of the model.
inline constexpr std::array<simulation::FieldNames, 9> field_names{{
    {"sxx", "", "change of the normal stress along x, tension positive", "Pa"},
    {"syy", "", "change of the normal stress along y, tension positive", "Pa"},
    {"szz", "", "change of the normal stress along z, tension positive", "Pa"},
    {"sxy", "", "change of the shear stress xy", "Pa"},
    {"syz", "", "change of the shear stress yz", "Pa"},
    {"sxz", "", "change of the shear stress xz", "Pa"},
    {"vx", "", "velocity of the ground along x, east", "m s-1"},
    {"vy", "", "velocity of the ground along y, north", "m s-1"},
    {"vz", "", "velocity of the ground along z, up", "m s-1"},
}};

/// What else is known of a cell where rock yields; in that order behind the unknowns.
inline constexpr simulation::FieldNames plastic_strain_names{
    "plastic_strain", "",
    "plastic strain since the start, the integral of √(½ ε̇:ε̇) of its rate ε̇, mean of the cell at the start "
    "of its step",
    "1"};
inline constexpr int plastic_strain = static_cast<int>(field_names.size());

/// The place of vx in that order.
inline constexpr int first_velocity = 6;

/// Their names; and the place of one in the order of the model.
std::vector<std::string> all_field_names();
int field_index(const std::string& name);
/// The same with what is known of cells.
std::vector<std::string> all_cell_field_names();
const simulation::FieldNames& names_of_cell_field(const std::string& name);

}  // namespace groundswell::quake
