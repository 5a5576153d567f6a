!> Return codes of all calls of the runtime: the same as groundswell/c/errors.h.
module groundswell_errors
    use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_null_char, c_ptr, c_size_t
    use groundswell_c, only: c_check, c_error_message, c_error_speaks, gs_defect, gs_done, gs_failed, gs_refused
    implicit none
    private

    public :: gs_error_message, gs_error_speaks, gs_settle, gs_reject, c_text, fortran_text
    public :: gs_done, gs_refused, gs_failed, gs_defect

    interface
        function gs_reject_c(message) bind(C, name='gs_reject') result(answer)
            import :: c_char, c_int
            character(kind=c_char), intent(in) :: message(*)
            integer(c_int) :: answer
        end function

        function strlen(text) bind(C, name='strlen') result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
    end interface

contains

    !> Message of the last call that did not return gs_done.
    function gs_error_message() result(text)
        character(:), allocatable :: text
        text = fortran_text(c_error_message())
    end function

    !> Whether this rank should print the message; of the ranks that met an error together only one should.
    logical function gs_error_speaks()
        gs_error_speaks = c_error_speaks() /= 0
    end function

    !> Hands the status to the caller; one who did not ask for it has the program ended with a message.
    subroutine gs_settle(answer, status)
        integer(c_int), intent(in) :: answer
        integer, intent(out), optional :: status
        if (present(status)) then
            status = int(answer)
        else
            call c_check(answer)
        end if
    end subroutine

    !> The answer to a call with wrong arguments.
    function gs_reject(message) result(answer)
        character(*), intent(in) :: message
        integer(c_int) :: answer
        answer = gs_reject_c(c_text(message))
    end function

    !> Text without trailing blanks, as C wants it.
    pure function c_text(text) result(ended)
        character(*), intent(in) :: text
        character(kind=c_char, len=len_trim(text) + 1) :: ended
        ended = trim(text)//c_null_char
    end function

    function fortran_text(address) result(text)
        type(c_ptr), intent(in) :: address
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: i
        call c_f_pointer(address, letters, [strlen(address)])
        allocate (character(size(letters)) :: text)
        do i = 1, size(letters)
            text(i:i) = letters(i)
        end do
    end function

end module groundswell_errors
