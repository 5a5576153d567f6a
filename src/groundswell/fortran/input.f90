!> Files read by many ranks: groundswell/c/input.h for Fortran, where the meaning of each call stands. Records and rows
!> are numbered from 1; the last dimension of an array runs over rows (but for gs_schema_distributed).
module groundswell_input
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_null_char, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use groundswell_arrays, only: gs_array
    use groundswell_errors, only: c_text, gs_reject, gs_settle
    use groundswell_output, only: gs_rows, handle_of
    implicit none
    private

    public :: gs_input, gs_input_open, gs_input_close, gs_input_records, gs_input_length
    public :: gs_input_text, gs_input_numbers, gs_input_read

    !> A file that is open for reading.
    type :: gs_input
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    interface
        function c_input_open(comm, path, input) bind(C, name='gs_input_open_fortran') result(answer)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: comm
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: input
            integer(c_int) :: answer
        end function

        function c_input_close(input) bind(C, name='gs_input_close') result(answer)
            import :: c_int, c_ptr
            type(c_ptr), intent(inout) :: input
            integer(c_int) :: answer
        end function

        function c_input_records(input, count) bind(C, name='gs_input_records') result(answer)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: input
            integer(c_int64_t), intent(out) :: count
            integer(c_int) :: answer
        end function

        function c_input_length(input, dimension, length) bind(C, name='gs_input_length') result(answer)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: input
            character(kind=c_char), intent(in) :: dimension(*)
            integer(c_int64_t), intent(out) :: length
            integer(c_int) :: answer
        end function

        function c_input_text(input, variable, name, capacity, text) bind(C, name='gs_input_text') result(answer)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: input
            character(kind=c_char), intent(in) :: variable(*), name(*)
            integer(c_int64_t), value :: capacity
            character(kind=c_char), intent(inout) :: text(*)
            integer(c_int) :: answer
        end function

        function c_input_numbers(input, variable, name, count, numbers) &
            bind(C, name='gs_input_numbers') result(answer)
            import :: c_char, c_double, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: input
            character(kind=c_char), intent(in) :: variable(*), name(*)
            integer(c_int64_t), value :: count
            real(c_double), intent(out) :: numbers(*)
            integer(c_int) :: answer
        end function

        function c_input_read(input, variable, type, record, count, values, rows, dimension) &
            bind(C, name='gs_input_read') result(answer)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: input
            character(kind=c_char), intent(in) :: variable(*)
            integer(c_int), value :: type
            integer(c_int64_t), value :: record, count
            type(c_ptr), value :: values, rows
            character(kind=c_char), intent(in) :: dimension(*)
            integer(c_int) :: answer
        end function
    end interface

contains

    !> Collective over `comm`.
    subroutine gs_input_open(input, comm, path, status)
        type(gs_input), intent(out) :: input
        integer, intent(in) :: comm
        character(*), intent(in) :: path
        integer, intent(out), optional :: status
        call gs_settle(c_input_open(int(comm, c_int), c_text(path), input%handle), status)
    end subroutine

    subroutine gs_input_close(input, status)
        type(gs_input), intent(inout) :: input
        integer, intent(out), optional :: status
        call gs_settle(c_input_close(input%handle), status)
    end subroutine

    subroutine gs_input_records(input, count, status)
        type(gs_input), intent(in) :: input
        integer(int64), intent(out) :: count
        integer, intent(out), optional :: status
        call gs_settle(c_input_records(input%handle, count), status)
    end subroutine

    subroutine gs_input_length(input, dimension, length, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: dimension
        integer(int64), intent(out) :: length
        integer, intent(out), optional :: status
        call gs_settle(c_input_length(input%handle, c_text(dimension), length), status)
    end subroutine

    !> A text attribute, of the file where `variable` is empty.
    subroutine gs_input_text(input, variable, name, text, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable, name
        character(*), intent(out) :: text
        integer, intent(out), optional :: status
        character(kind=c_char, len=len(text) + 1) :: ended
        integer(c_int) :: answer
        ended = c_null_char
        answer = c_input_text(input%handle, c_text(variable), c_text(name), len(ended, kind=int64), ended)
        text = ''
        if (answer == 0) text = ended(:index(ended, c_null_char) - 1)
        call gs_settle(answer, status)
    end subroutine

    !> As many numbers as the attribute has.
    subroutine gs_input_numbers(input, variable, name, numbers, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable, name
        real(real64), intent(out) :: numbers(:)
        integer, intent(out), optional :: status
        real(c_double) :: found(size(numbers))
        found = 0
        call gs_settle(c_input_numbers(input%handle, c_text(variable), c_text(name), size(numbers, kind=int64), &
            found), status)
        numbers = found
    end subroutine

    !> The rows that this rank owns, of one record (the first without `record`), along `dimension` (without it the
    !> last one but for the record dimension): call gs_input_read(input, 'heat', gs_array(heat), rows, record=3_int64).
    !> Without `rows` every rank gets the whole array. Collective.
    subroutine gs_input_read(input, variable, array, rows, record, dimension, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable
        type(gs_array), intent(in) :: array
        type(gs_rows), intent(in), optional :: rows
        integer(int64), intent(in), optional :: record
        character(*), intent(in), optional :: dimension
        integer, intent(out), optional :: status
        character(kind=c_char, len=:), allocatable :: along
        integer(int64) :: number
        number = 1
        if (present(record)) number = record
        along = c_null_char
        if (present(dimension)) along = c_text(dimension)
        if (.not. array%contiguous) then
            call gs_settle(gs_reject('gs_input_read: an array that is not contiguous'), status)
        else
            call gs_settle(c_input_read(input%handle, c_text(variable), array%type, number - 1, &
                array%ids*array%width, array%address, handle_of(rows), along), status)
        end if
    end subroutine

end module groundswell_input
