#pragma once

namespace groundswell::sea {

/// exec::Program::entry of ImageStep; null in a program that was built without CUDA.
const void* image_cuda_entry();

}  // namespace groundswell::sea
