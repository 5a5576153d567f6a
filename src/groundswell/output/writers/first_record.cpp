#include "groundswell/output/writers/first_record.hpp"

namespace groundswell::output {

bool threads_pay(const FirstRecord& measured) {
    constexpr double worth_it = 0.02;
    if (!measured.cores_for_all) return false;
    return (measured.own_core ? measured.writing : measured.asleep) > worth_it * measured.computing;
}

}  // namespace groundswell::output
