#include "groundswell/output/writers/courier.hpp"

#include "groundswell/base/log.hpp"

namespace groundswell::output {

namespace {

class DirectCourier final : public Courier {
public:
    explicit DirectCourier(std::shared_ptr<Executor> executor)
        : Courier(CourierLimits{}), executor_(std::move(executor)) {}

    void deliver(Job job, const std::string&) override { executor_->run(job); }
    WriterState state() override { return executor_->state(); }
    void settle() override {}
    bool in_step() const override { return true; }

private:
    std::shared_ptr<Executor> executor_;
};

}  // namespace

std::unique_ptr<Courier> make_direct_courier(std::shared_ptr<Executor> executor) {
    return std::make_unique<DirectCourier>(std::move(executor));
}

void SilenceWarning::check(double silent, const std::string& who, const std::string& doing) {
    if (limit_ <= 0.0 || silent < next_) return;
    base::log_warning("output: {} has not answered for {:.3g} s; it was {}", who, silent, doing);
    next_ = 2.0 * silent;
}

}  // namespace groundswell::output
