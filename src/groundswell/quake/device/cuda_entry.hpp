#pragma once

namespace groundswell::quake {

/// exec::Program::entry of PredictOnDevice, or PredictWithMemoryOnDevice, and CorrectOnDevice of rock, of AddSidesOnDevice and of
/// MoveSidesOnDevice; null in a program that was built without CUDA.
struct CudaEntries {
    const void *predict = nullptr, *correct = nullptr, *add_sides = nullptr, *move_sides = nullptr;
};

/// Order 2 to 7. Real is float or double.
template <class Real>
CudaEntries cuda_entries(int order, bool remembers);

}  // namespace groundswell::quake
