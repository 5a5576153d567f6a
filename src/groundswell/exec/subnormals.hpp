#pragma once

namespace groundswell::exec {

/// Makes this thread, and those that it starts from now on, take numbers too small for full precision for 0
/// (flush to zero, on x86). A spectrum is full of them far from its peak, their products more so, and some
/// processors need a hundred times as long for each: source terms ran at a quarter of their speed. Call it
/// once at the start of a program, before there are threads, so that all compute the same bits; a library
/// leaves this to the program that it serves. Does nothing on other processors.
void flush_subnormals();

/// Whether this thread does so now; true on other processors, where nobody can say.
bool flushes_subnormals();

}  // namespace groundswell::exec
