#pragma once

#include "groundswell/quake/fault/laws/ageing.hpp"
#include "groundswell/quake/fault/laws/bimaterial_slip_weakening.hpp"
#include "groundswell/quake/fault/laws/exponential_slip_weakening.hpp"
#include "groundswell/quake/fault/laws/fast_weakening.hpp"
#include "groundswell/quake/fault/laws/imposed_delta.hpp"
#include "groundswell/quake/fault/laws/imposed_gaussian.hpp"
#include "groundswell/quake/fault/laws/imposed_series.hpp"
#include "groundswell/quake/fault/laws/imposed_yoffe.hpp"
#include "groundswell/quake/fault/laws/linear_slip_weakening.hpp"
#include "groundswell/quake/fault/laws/power_law_slip_weakening.hpp"
#include "groundswell/quake/fault/laws/slip.hpp"
#include "groundswell/quake/fault/laws/velocity_weakening.hpp"

/// All friction laws. Descriptions and kernels are made of this list, in its order.
namespace groundswell::quake {

template <class... Law>
struct LawList {
    static_assert(((Law::at_places.size() == Law::parameters) && ...), "an enumerator for each of at_places");
    static_assert(((Law::parameters <= most_law_parameters) && ...), "more than most_law_parameters");
    static_assert(((Law::of_fault.size() == Law::fault_parameters) && ...),
                  "an enumerator for each of of_fault");
    static_assert(((int{Law::end_of_states} <= kept_states) && ...), "more states than law_states");
};

using FrictionLaws =
    LawList<LinearSlipWeakening, BimaterialSlipWeakening, ExponentialSlipWeakening, PowerLawSlipWeakening,
            VelocityWeakening, RateAndState<Ageing>, RateAndState<SlipLaw>, RateAndState<FastWeakening>,
            ImposedYoffe, ImposedGaussian, ImposedDelta, ImposedSeries>;

}  // namespace groundswell::quake
