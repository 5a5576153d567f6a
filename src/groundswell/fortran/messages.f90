!> Messages of the library and their destination: groundswell/c/messages.h for Fortran.
module groundswell_messages
    use, intrinsic :: iso_c_binding, only: c_funloc, c_int, c_null_funptr, c_null_ptr, c_ptr
    use groundswell_c, only: c_messages_level, c_messages_to, gs_message_error, gs_message_info, &
        gs_message_warning
    use groundswell_errors, only: fortran_text, gs_settle
    implicit none
    private

    public :: gs_messages_level, gs_messages_to, gs_message_handler
    public :: gs_message_error, gs_message_warning, gs_message_info

    abstract interface
        !> May run in a thread of the library; one call at a time.
        subroutine gs_message_handler(level, text)
            integer, intent(in) :: level
            character(*), intent(in) :: text
        end subroutine
    end interface

    procedure(gs_message_handler), pointer, save :: chosen => null()

contains

    !> Messages of this level and graver ones are told.
    subroutine gs_messages_level(level, status)
        integer, intent(in) :: level
        integer, intent(out), optional :: status
        call gs_settle(c_messages_level(int(level, c_int)), status)
    end subroutine

    !> Where messages go from now on, in place of lines on standard error; without `handler` they go there again.
    !> It must be a procedure of a module, or external: one within another procedure is gone when that returns.
    subroutine gs_messages_to(handler, status)
        procedure(gs_message_handler), optional :: handler
        integer, intent(out), optional :: status
        integer(c_int) :: answer
        ! No message is on its way while the library is told, and none reaches a handler that is not there.
        answer = c_messages_to(c_null_funptr, c_null_ptr)
        if (present(handler)) then
            chosen => handler
            answer = c_messages_to(c_funloc(hand_over), c_null_ptr)
        end if
        call gs_settle(answer, status)
    end subroutine

    subroutine hand_over(level, text, context) bind(C)
        integer(c_int), value :: level
        type(c_ptr), value :: text, context
        call chosen(int(level), fortran_text(text))
    end subroutine

end module groundswell_messages
