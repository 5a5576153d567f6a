#pragma once

#include <string_view>

namespace groundswell::quake {

/// exec::Program::entry of SolveFaultOnDevice for a law, and of FeelFaultOnDevice; null in a program that was built without CUDA.
const void* cuda_entry_of_law(std::string_view law);
template <class Real>
const void* cuda_entry_of_feeling();

}  // namespace groundswell::quake
