#pragma once

namespace groundswell::quake {

/// exec::Program::entry of PredictOnDevice, or PredictWithMemoryOnDevice, CorrectOnDevice, LookOnDevice and ProbeOnDevice of rock, the first two of water, of
/// AddSidesOnDevice, MoveSidesOnDevice, RelaxOnDevice and MeetSeaOnDevice; null in a program that was built without CUDA.
struct CudaEntries {
    const void *predict = nullptr, *correct = nullptr, *predict_water = nullptr, *correct_water = nullptr,
               *look = nullptr, *probe = nullptr, *add_sides = nullptr, *move_sides = nullptr,
               *relax = nullptr, *meet_sea = nullptr;
};

/// Order 2 to 7. Equation is Elastic, Anisotropic or Viscoelastic, Real is float or double.
template <class Equation, class Real>
CudaEntries cuda_entries(int order);

}  // namespace groundswell::quake
