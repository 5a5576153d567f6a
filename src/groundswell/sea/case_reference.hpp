#pragma once

#include <string>

namespace groundswell::sea {

/// The reference of all case file keys as a Markdown page, made from the questions that the reader asks;
/// docs/case-file.md is this text.
std::string case_reference();

}  // namespace groundswell::sea
