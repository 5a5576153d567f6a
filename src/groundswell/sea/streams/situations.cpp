#include "groundswell/sea/streams/situations.hpp"

#include "groundswell/exec/launch.hpp"

namespace groundswell::sea {

const std::vector<CellSituation>& Situations::of_all(Reads reads) {
    if (has_all(reads)) return all_;
    if (step_ == model_.step()) reads = reads | read_;
    model_.bring_back();
    const std::int32_t owned = model_.mesh().owned;
    all_.resize(owned);
    exec::for_each_cell(0, owned, [&](std::int32_t cell) { all_[cell] = model_.situation(cell, reads); });
    if (includes(reads, Reads::force)) {
        if (!force_) force_.emplace(model_.mesh(), model_.plan());
        force_->set(all_);
    }
    step_ = model_.step();
    read_ = reads;
    return all_;
}

CellSituation Situations::of(std::int32_t cell, Reads reads) const {
    if (has_all(reads)) return all_[cell];
    model_.bring_back();
    return model_.situation(cell, reads);
}

}  // namespace groundswell::sea
