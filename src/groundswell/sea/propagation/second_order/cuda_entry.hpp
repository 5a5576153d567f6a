#pragma once

namespace groundswell::sea {

/// exec::Program::entry of SecondOrderStep, without currents and with them; null in a program that was built without CUDA.
const void* second_order_cuda_entry(bool flows);
/// The same of SecondOrderProfileStep.
const void* second_order_profiles_cuda_entry(bool flows);

}  // namespace groundswell::sea
