// An exchange allocates nothing: every operator new of this program is counted.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_graph.hpp"

namespace {
std::atomic<long> allocations{0};
}

// GCC cannot see that the two replace each other's library versions together.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t bytes) {
    ++allocations;
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

using namespace groundswell;
using halo::test::Order;

TEST(HaloAllocation, ExchangesAllocateNothing) {
    parallel::Environment mpi;
    for (const Order order : {Order::grouped, Order::shuffled}) {
        const auto plan = halo::test::make_plan(
            mpi.comm(), halo::test::random_part(mpi.rank(), mpi.size(), 0, 500, order, 1));
        halo::Field<float> own(*plan, 30);
        halo::Field<float> shared(*plan, 30, 0, halo::Memory::shared);
        for (const auto name : halo::transport_names()) {
            const auto transport = halo::make_transport(name, plan, own.channel());
            const long before = allocations;
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
