#pragma once

#include <memory>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// The processor as a device: its memory is the host's, blocks are dealt out to the threads of launches (exec/launch.hpp) and have
/// one lane each, and all that is asked of a stream is done at once.
std::unique_ptr<Device> make_host_device();

}  // namespace groundswell::exec
