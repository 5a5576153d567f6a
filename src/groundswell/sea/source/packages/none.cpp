#include "groundswell/sea/source/packages/package_kind.hpp"

namespace groundswell::sea::packages {

PackageKind none() {
    return {"none", "propagation alone", {}, {}};
}

}  // namespace groundswell::sea::packages
