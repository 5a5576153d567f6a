#include "groundswell/sea/source/device/on_device.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "groundswell/sea/source/device/exchange/exchange_kernel.hpp"
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
    std::vector<OceanExchange> exchanges{};
    std::optional<exec::DeviceArray<OceanExchange>> exchanges_there{};  // of as many cells
};

SourcesOnDevice::~SourcesOnDevice() = default;

SourcesOnDevice::SourcesOnDevice(const SourcePackage& package, exec::Device& device, exec::Stream stream)
    : device_(device),
      memory_(new Memory{package.device_form(), {}, {}, {none}, {device, "lowest bad cell", 1}}) {
    device.copy_in(stream, memory_->lowest_bad_there.span().data(), memory_->lowest_bad.data(), sizeof none);
    CellBlock::tables(memory_->form.block, [&]<class T>(std::span<const T>& table) {
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

template <class Kernel>
void SourcesOnDevice::launch(exec::Stream stream, const char* name, const Kernel& kernel, std::int32_t blocks,
                             const exec::Program& program) {
    const int lanes = kernel.lanes(std::min(device_.limits().lanes, int{Kernel::most_lanes}));
    device_.launch(stream, {name, blocks, lanes, kernel.scratch_bytes()}, program,
                   exec::Arguments::of(kernel));
}

void SourcesOnDevice::integrate(exec::Stream stream, std::int32_t begin, std::int32_t end,
                                const DeviceCells& cells, double step) {
    SourceStep kernel{memory_->form.block, cells.action, cells.state, memory_->lowest_bad_there.span()};
    kernel.cells = cells;
    kernel.first = begin;
    kernel.step = static_cast<Real>(step);
    launch(stream, "sources", kernel, end - begin, {memory_->form.step, source_cuda_entry()});
}

std::span<const OceanExchange> SourcesOnDevice::exchanges(exec::Stream stream, const DeviceCells& cells,
                                                          double step) {
    std::vector<OceanExchange>& here = memory_->exchanges;
    std::optional<exec::DeviceArray<OceanExchange>>& there = memory_->exchanges_there;
    const std::size_t count = cells.state.size();
    if (here.size() != count || !there) {
        here.resize(count);
        there.emplace(device_, "what waves give to the ocean", count);
    }
    ExchangeStep kernel{memory_->form.block, cells.action, cells.state, memory_->form.density, there->span()};
    kernel.cells = cells;
    kernel.step = static_cast<Real>(step);
    launch(stream, "exchange with the ocean", kernel, static_cast<std::int32_t>(count),
           {memory_->form.exchange, exchange_cuda_entry()});
    device_.copy_out(stream, here.data(), there->span().data(), there->span().size_bytes());
    device_.synchronise(stream);
    return here;
}

std::int32_t SourcesOnDevice::lowest_bad_cell(exec::Stream stream) {
    device_.copy_out(stream, memory_->lowest_bad.data(), memory_->lowest_bad_there.span().data(),
                     sizeof none);
    device_.synchronise(stream);
    return memory_->lowest_bad[0] == none ? -1 : memory_->lowest_bad[0];
}

}  // namespace groundswell::sea
