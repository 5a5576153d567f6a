#pragma once

namespace groundswell::exec {

/// The first of `needed`, names of processor features between blanks (" avx2 fma "), that this processor lacks; null if it has
/// all. Names that are not known count as there.
const char* lacking_feature(const char* needed);

/// Instructions that a program compiled for one kind of processor takes for granted; blanks for a portable one.
const char* build_features();

}  // namespace groundswell::exec
