#include "groundswell/halo/host/under_way.hpp"

namespace groundswell::halo {

UnderWay& UnderWay::of_process() {
    static UnderWay all;
    return all;
}

void UnderWay::join() {
    const std::lock_guard lock(mutex_);
    exchanges_.reserve(++joined_);
}

void UnderWay::leave(Served* exchange) {
    const std::lock_guard lock(mutex_);
    std::erase(exchanges_, exchange);
    --joined_;
}

void UnderWay::begin(Served* exchange) {
    const std::lock_guard lock(mutex_);
    exchanges_.push_back(exchange);
}

void UnderWay::end(Served* exchange) {
    const std::lock_guard lock(mutex_);
    std::erase(exchanges_, exchange);
}

void UnderWay::serve_others(const Served* exchange) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    for (Served* const other : exchanges_)
        if (other != exchange) other->serve();
}

}  // namespace groundswell::halo
