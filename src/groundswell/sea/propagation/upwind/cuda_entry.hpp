#pragma once

namespace groundswell::sea {

/// exec::Program::entry of UpwindStep, of four directions a lane or one; null in a program that was built without CUDA.
const void* upwind_cuda_entry(bool four_directions);

}  // namespace groundswell::sea
