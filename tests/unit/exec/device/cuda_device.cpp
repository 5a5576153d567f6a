#include "groundswell/exec/device/cuda/cuda_device.hpp"

#include <gtest/gtest.h>

#include <string>

namespace groundswell::exec {
namespace {

TEST(CudaDevice, IsRefusedWithWhatItWouldTakeWhereThereIsNone) {
    try {
        make_cuda_device();
        GTEST_SKIP() << "there is one";
    } catch (const base::Refusal& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message == "GPU: expected a program built with CUDA (scripts/build cuda)" ||
                    message.starts_with("GPU: expected a device that CUDA can use; it says: "))
            << message;
    }
}

}  // namespace
}  // namespace groundswell::exec
