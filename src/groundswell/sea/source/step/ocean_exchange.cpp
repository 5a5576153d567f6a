#include "groundswell/sea/source/ocean_exchange.hpp"

#include "groundswell/sea/source/device/exchange/exchange_kernel.hpp"
#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::sea {

OceanExchange SourcePackage::find_exchange(const Real* action, const CellConditions& conditions, Real step,
                                           SourceState state, SourceWorkspace& w) const {
    load(action, conditions, step, state, w);
    meet_air(w);
    return sea::find_exchange(RegisterTeam{}, *grid_, w.memory(), density_, [&](Partner partner) {
        for (int term = 0; term < terms(); ++term)
            if (terms_[term]->partner() == partner) evaluate(term, w);
    });
}

exec::BlockFunction exchange_on_processor() {
    return exec::run_block<ExchangeStep>;
}

}  // namespace groundswell::sea
