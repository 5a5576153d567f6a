#include "groundswell/sea/source/device/on_device.hpp"

#include <array>
#include <deque>
#include <limits>

#include "groundswell/sea/source/device/source_kernel.hpp"
#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::sea {
namespace {

constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();

}  // namespace

struct SourcesOnDevice::Memory {
    SourceForm form;
    std::deque<exec::DeviceArray<Real>> numbers;
    std::deque<exec::DeviceArray<double>> doubles;
    std::array<std::int32_t, 1> lowest_bad{none};
    exec::DeviceArray<std::int32_t> lowest_bad_there;
};

SourcesOnDevice::~SourcesOnDevice() = default;

SourcesOnDevice::SourcesOnDevice(const SourcePackage& package, exec::Device& device, exec::Stream stream)
    : device_(device),
      memory_(new Memory{package.device_form(), {}, {}, {none}, {device, "lowest bad cell", 1}}) {
    device.copy_in(stream, memory_->lowest_bad_there.span().data(), memory_->lowest_bad.data(), sizeof none);
    memory_->form.step.lowest_bad = memory_->lowest_bad_there.span();
    SourceStep::tables(memory_->form.step, [&]<class T>(std::span<const T>& table) {
        auto& arrays = [&]() -> auto& {
            if constexpr (std::is_same_v<T, Real>)
                return memory_->numbers;
            else
                return memory_->doubles;
        }
        ();
        table = arrays.emplace_back(device, "tables of source terms", stream, table).span();
    });
}

void SourcesOnDevice::integrate(exec::Stream stream, std::int32_t begin, std::int32_t end,
                                const DeviceCells& cells, double step) {
    SourceStep kernel = memory_->form.step;
    kernel.cells = cells;
    kernel.first = begin;
    kernel.step = static_cast<Real>(step);
    device_.launch(stream,
                   {"sources", end - begin, kernel.lanes(device_.limits().lanes), kernel.scratch_bytes()},
                   {memory_->form.on_processor, source_cuda_entry()}, exec::Arguments::of(kernel));
}

std::int32_t SourcesOnDevice::lowest_bad_cell(exec::Stream stream) {
    device_.copy_out(stream, memory_->lowest_bad.data(), memory_->lowest_bad_there.span().data(),
                     sizeof none);
    device_.synchronise(stream);
    return memory_->lowest_bad[0] == none ? -1 : memory_->lowest_bad[0];
}

}  // namespace groundswell::sea
