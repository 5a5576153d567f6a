#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/device/kernels.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/elements/side_sum.hpp"

namespace groundswell::quake {

/// Elements on a device: from now on state and sides change there, by the kernels of Elements. All is done in the order of one
/// stream.
template <class Real>
class ElementsOnDevice final : public Elsewhere {
public:
    /// `elements` lie as wave_device_kernels(order, mechanisms).elements say, and must outlive this, as must the device. A Refusal says so
    /// where there is water.
    ElementsOnDevice(Elements<Real>& elements, exec::Device& device, exec::Stream stream);
    ~ElementsOnDevice() override;

    void predict(BatchRange batches, Real seconds);
    void predict_pieces(BatchRange batches, Real seconds, int rate);
    void correct(BatchRange batches, int piece);
    /// `is_first`: of the steps whose total it is.
    void add_up(const exec::DeviceArray<SideSum>& sums, bool is_first);

    /// Tells the device what sources add in batches where that has changed, ascending. The numbers must stay until bring().
    void add(std::span<const std::int32_t> batches);

    /// All that was asked for is done.
    void wait() { device_.synchronise(stream_); }

    void bring(std::span<const std::int32_t> batches) override;
    void bring_sides(std::span<const std::int32_t> sides) override;
    void send_sides(std::span<const std::int32_t> sides) override;

private:
    struct Memory;
    void launch(const char* name, const exec::Program& program, BatchRange batches, std::size_t scratch,
                ElementsView<Real> view);
    std::size_t scratch_of_predictor(int rate) const {
        return kernels_.predictor_scratch(rate, kernels_.elements.layout.mechanisms);
    }
    void make_room_to_add();
    void move_sides(std::span<const std::int32_t> sides, bool back);

    Elements<Real>& elements_;
    const DeviceKernels<Real>& kernels_;
    exec::Device& device_;
    exec::Stream stream_;
    std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::quake
