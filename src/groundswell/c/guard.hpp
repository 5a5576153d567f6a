#pragma once

#include <string>
#include <string_view>
#include <utility>

/// Turns exceptions of the C functions into a status and a message.
namespace groundswell::c {

/// Notes the exception that is being handled for gs_error_message and returns its status: call inside
/// `catch (...)`.
int note_current_exception() noexcept;

/// Sets what gs_error_message returns from now on.
void note_message(std::string_view message);

/// Runs `body`; no exception leaves a C function.
template <class Body>
int guarded(Body&& body) noexcept {
    try {
        std::forward<Body>(body)();
        return 0;
    } catch (...) {
        return note_current_exception();
    }
}

/// Throws base::Defect naming the function and the argument.
[[noreturn]] void reject(std::string_view function, std::string_view what);

/// The pointer's target; a null pointer is a Defect of the caller.
template <class T>
T& need(T* pointer, std::string_view function, std::string_view argument) {
    if (pointer == nullptr) reject(function, std::string("null given for ") + std::string(argument));
    return *pointer;
}

/// Deletes what a handle stands for and sets it to null.
template <class T>
int destroy(T** handle) noexcept {
    if (handle == nullptr) return 0;
    return guarded([&] { delete std::exchange(*handle, nullptr); });
}

}  // namespace groundswell::c
