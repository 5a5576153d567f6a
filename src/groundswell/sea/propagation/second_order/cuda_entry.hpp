#pragma once

namespace groundswell::sea {

/// exec::Program::entry of SecondOrderStep; null in a program that was built without CUDA.
const void* second_order_cuda_entry();

}  // namespace groundswell::sea
