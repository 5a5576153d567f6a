#pragma once

#include <string_view>

/// Units that files of forcings have, as gridded::Quantity::factor wants them: how many of ours are in one; 0 for anything else.
namespace groundswell::sea {

/// Metres per second in a unit of a speed.
double speed_unit(std::string_view text);
/// Metres in a unit of a length.
double length_unit(std::string_view text);
/// In a unit of a share.
double share_unit(std::string_view text);

}  // namespace groundswell::sea
