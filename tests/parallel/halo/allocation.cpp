// An exchange allocates nothing: every operator new of this program is counted.
#include <gtest/gtest.h>
#include <mpi.h>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/allocations.hpp"
#include "support/halo_graph.hpp"

namespace {

using namespace groundswell;
using halo::test::Order;
using test::allocations;

TEST(HaloAllocation, ExchangesAllocateNothing) {
    parallel::Environment mpi;
    for (const Order order : {Order::grouped, Order::shuffled}) {
        const auto plan = halo::test::make_plan(
            mpi.comm(), halo::test::random_part(mpi.rank(), mpi.size(), 0, 500, order, 1));
        halo::Field<float> own(*plan, 30);
        halo::Field<float> shared(*plan, 30, 0, halo::Memory::shared);
        for (const auto name : halo::transport_names()) {
            const auto transport = halo::make_transport(name, plan, own.channel());
            const std::int64_t before = allocations;
            ASSERT_GT(before, 0) << "the counter counts";
            for (int i = 0; i < 10; ++i) {
                transport->start(i % 2 == 0 ? own.data() : shared.data());
                transport->poll();
                transport->finish();
            }
            EXPECT_EQ(allocations, before) << transport->name();
        }
    }
}

}  // namespace
