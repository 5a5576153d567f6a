// Fields in the memory of a device are exchanged as those of processors are, by each route: needed ids have their owners' bits, and nothing
// else is written. Nothing but messages crosses to the host, and where messages go from memory to memory not even these.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/halo/device/device_messages.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;
using halo::Route;

const exec::DeviceLimits limits{"played device", 256, 48 << 10, std::size_t{1} << 30};

halo::ExchangeOptions by(Route route) {
    halo::ExchangeOptions options;
    options.gpu = route;
    return options;
}

/// A field of the host and its copy on a device.
template <class T>
struct Mirror {
    exec::Device& device;
    exec::Stream stream;
    Field<T> field;
    exec::DeviceArray<T> there;

    Mirror(exec::Device& on, const halo::Plan& plan, std::size_t values, std::size_t stride)
        : device(on),
          stream(on.make_stream()),
          field(plan, values, stride),
          there(on, "field", static_cast<std::size_t>(field.ids()) * stride) {}
    std::size_t bytes() const { return there.span().size_bytes(); }
    void send() { device.copy_in(stream, there.span().data(), field.data(), bytes()); }
    void fetch() {
        device.copy_out(stream, field.data(), there.span().data(), bytes());
        device.synchronise(stream);
    }
};

template <class T>
void exchange(MPI_Comm comm, exec::Device& device, Route route, const Part& part,
              const std::shared_ptr<const halo::Selection>& selection, std::size_t values,
              std::size_t stride) {
    const auto plan = make_plan(comm, part);
    Mirror<T> mirror(device, *plan, values, stride);
    halo::Channel channel = mirror.field.channel();
    channel.selection = selection;
    halo::DeviceMessages messages(
        {plan, {channel}, {mirror.there.span().data()}, halo::FieldsOnDevice{&device, mirror.stream}},
        by(route));
    for (int round = 0; round < 4; ++round) {
        fill_owned(mirror.field, part, round);
        mirror.send();
        messages.start(mirror.there.span().data());
        if (round % 2 == 0) messages.send();
        if (round == 2) messages.poll();
        messages.finish();
        mirror.fetch();
        expect_exchanged(mirror.field, part, round, "round " + std::to_string(round),
                         messages.selects() ? selection.get() : nullptr);
    }
}

class DeviceMessages : public testing::TestWithParam<std::tuple<Route, int>> {
protected:
    parallel::Environment mpi{};
    Route route = std::get<0>(GetParam());
    // -1: the processor as a device, which shares no memory.
    std::unique_ptr<exec::Device> make_device() {
        const int seed = std::get<1>(GetParam());
        if (seed < 0) return exec::make_host_device();
        return std::make_unique<exec::PlayedDevice>(limits, static_cast<unsigned>(seed + 100 * mpi.rank()));
    }
};

TEST_P(DeviceMessages, BringWhatIsNeeded) {
    const auto device = make_device();
    for (const Order order : {Order::grouped, Order::shuffled}) {
        for (int idle = 0; idle < 2; ++idle) {
            const Part part = random_part(mpi.rank(), mpi.size(), idle, 60, order, 21);
            exchange<float>(mpi.comm(), *device, route, part, nullptr, 37, 40);
            exchange<double>(mpi.comm(), *device, route, part, nullptr, 12, 12);
            exchange<float>(mpi.comm(), *device, route, part,
                            random_selection<float>(part, 5, 12, 7U + static_cast<unsigned>(mpi.rank())), 60,
                            64);
        }
    }
    exchange<float>(mpi.comm(), *device, route, {}, nullptr, 4, 4);
}

INSTANTIATE_TEST_SUITE_P(Routes, DeviceMessages,
                         testing::Combine(testing::Values(Route::automatic, Route::memory, Route::mpi,
                                                          Route::staged),
                                          testing::Range(0, 5)),
                         [](const auto& test) {
                             return std::string(halo::name(std::get<0>(test.param))) + "_" +
                                    std::to_string(std::get<1>(test.param));
                         });
INSTANTIATE_TEST_SUITE_P(Processor, DeviceMessages,
                         testing::Combine(testing::Values(Route::automatic, Route::mpi, Route::staged),
                                          testing::Values(-1)),
                         [](const auto& test) { return std::string(halo::name(std::get<0>(test.param))); });

TEST(DeviceMessagesOf, NothingButMessagesCrosses) {
    parallel::Environment mpi;
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 60, Order::grouped, 5);
    const auto plan = make_plan(mpi.comm(), part);
    for (const Route route : {Route::memory, Route::mpi, Route::staged}) {
        exec::PlayedDevice device(limits, 3);
        Mirror<float> mirror(device, *plan, 20, 20);
        halo::DeviceMessages messages({plan,
                                       {mirror.field.channel()},
                                       {mirror.there.span().data()},
                                       halo::FieldsOnDevice{&device, mirror.stream}},
                                      by(route));
        fill_owned(mirror.field, part, 1);
        mirror.send();
        device.synchronise(mirror.stream);
        const exec::DeviceCounts before = device.counts();
        messages.start(mirror.there.span().data());
        messages.finish();
        device.synchronise(mirror.stream);
        const exec::DeviceCounts after = device.counts();
        const std::size_t sent = route == Route::staged ? plan->pack_index().size() * 80 : 0;
        const std::size_t received = route == Route::staged ? part.needed.size() * 80 : 0;
        EXPECT_EQ(after.bytes_out - before.bytes_out, sent) << halo::name(route);
        EXPECT_EQ(after.bytes_in - before.bytes_in, received) << halo::name(route);
        EXPECT_LE(after.launches - before.launches, 2);
    }
}

TEST(DeviceMessagesOf, ARouteThatIsNotThereIsRefused) {
    parallel::Environment mpi;
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 60, Order::grouped, 5);
    const auto plan = make_plan(mpi.comm(), part);
    if (mpi.size() == 1) GTEST_SKIP() << "a rank alone reaches its own memory";
    const auto device = exec::make_host_device();
    Mirror<float> mirror(*device, *plan, 4, 4);
    const halo::Wanted wanted{plan,
                              {mirror.field.channel()},
                              {mirror.there.span().data()},
                              halo::FieldsOnDevice{device.get(), mirror.stream}};
    try {
        const halo::DeviceMessages messages(wanted, by(Route::memory));
        FAIL();
    } catch (const base::Refusal& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("gpu = \"memory\": expected \"auto\" or \"staged\""),
                  std::string::npos)
            << refusal.what();
    }
}

}  // namespace
