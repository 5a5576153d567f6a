#pragma once

namespace groundswell::sea {

/// exec::Program::entry of SourceStep; null in a program that was built without CUDA.
const void* source_cuda_entry();

}  // namespace groundswell::sea
