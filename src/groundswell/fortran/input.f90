!> Files read by many ranks: groundswell/c/input.h for Fortran, where the meaning of each call stands. Records and rows
!> are numbered from 1; the last dimension of an array runs over rows (but for gs_schema_distributed).
module groundswell_input
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use groundswell_c
    use groundswell_errors, only: c_text, gs_settle
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

    !> call gs_input_read(input, 'heat', heat, rows, record=3_int64, dimension='node' [, status]): the rows that this
    !> rank owns, of one record (the first without `record`), along `dimension` (without it the last one but for the
    !> record dimension), into an array of int32, int64, real32 or real64. Without `rows` every rank gets the whole
    !> variable. Collective.
    interface gs_input_read
        procedure read_int32, read_int64, read_real32, read_real64
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

    subroutine read_int32(input, variable, values, rows, record, dimension, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable
        integer(int32), intent(inout), target, contiguous :: values(..)
        type(gs_rows), intent(in), optional :: rows
        integer(int64), intent(in), optional :: record
        character(*), intent(in), optional :: dimension
        integer, intent(out), optional :: status
        call gs_settle(read_values(input, variable, gs_int32, size(values, kind=int64), c_loc(values), handle_of(rows), &
            record, dimension), status)
    end subroutine

    subroutine read_int64(input, variable, values, rows, record, dimension, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable
        integer(int64), intent(inout), target, contiguous :: values(..)
        type(gs_rows), intent(in), optional :: rows
        integer(int64), intent(in), optional :: record
        character(*), intent(in), optional :: dimension
        integer, intent(out), optional :: status
        call gs_settle(read_values(input, variable, gs_int64, size(values, kind=int64), c_loc(values), handle_of(rows), &
            record, dimension), status)
    end subroutine

    subroutine read_real32(input, variable, values, rows, record, dimension, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable
        real(real32), intent(inout), target, contiguous :: values(..)
        type(gs_rows), intent(in), optional :: rows
        integer(int64), intent(in), optional :: record
        character(*), intent(in), optional :: dimension
        integer, intent(out), optional :: status
        call gs_settle(read_values(input, variable, gs_float32, size(values, kind=int64), c_loc(values), handle_of(rows), &
            record, dimension), status)
    end subroutine

    subroutine read_real64(input, variable, values, rows, record, dimension, status)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable
        real(real64), intent(inout), target, contiguous :: values(..)
        type(gs_rows), intent(in), optional :: rows
        integer(int64), intent(in), optional :: record
        character(*), intent(in), optional :: dimension
        integer, intent(out), optional :: status
        call gs_settle(read_values(input, variable, gs_float64, size(values, kind=int64), c_loc(values), handle_of(rows), &
            record, dimension), status)
    end subroutine

    integer(c_int) function read_values(input, variable, type, count, values, rows, record, dimension)
        type(gs_input), intent(in) :: input
        character(*), intent(in) :: variable
        integer(c_int), intent(in) :: type
        integer(int64), intent(in) :: count
        type(c_ptr), intent(in) :: values, rows
        integer(int64), intent(in), optional :: record
        character(*), intent(in), optional :: dimension
        character(kind=c_char, len=:), allocatable :: along
        integer(int64) :: number
        number = 1
        if (present(record)) number = record
        along = c_null_char
        if (present(dimension)) along = c_text(dimension)
        read_values = c_input_read(input%handle, c_text(variable), type, number - 1, count, values, rows, along)
    end function

end module groundswell_input
