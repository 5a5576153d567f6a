#pragma once

#include <memory>

#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/cli/proxy/sea_sample.hpp"
#include "groundswell/exec/device/device.hpp"

/// A model's kernels on a device, which lives longer. Not collective.
namespace groundswell::cli {

/// Propagation and source terms, of the package that cases have by default, on a square of about so many cells of open sea.
std::unique_ptr<ProxyKernels> sea_kernels_on_device(exec::Device& device, const SeaVariant& variant,
                                                    int cells);

/// Predictor and corrector of about so many elements in a box of rock. `Real`: float or double.
template <class Real>
std::unique_ptr<ProxyKernels> quake_kernels_on_device(exec::Device& device, int cells, int order,
                                                      int mechanisms);

}  // namespace groundswell::cli
