!> Arrays of any rank as the runtime sees them: an address, and how many values of which type.
module groundswell_arrays
    use, intrinsic :: iso_c_binding, only: c_int, c_loc, c_null_ptr, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    implicit none
    private

    public :: gs_array

    !> A view of an array: gs_array(temperature). The last dimension runs over ids (cells, edges ...), the ones
    !> before it over the values of an id. The array must have the attribute `target` (and `asynchronous` where
    !> an exchange is under way while the program goes on), and must be contiguous: a section such as a(::2) is
    !> refused where it is used.
    type :: gs_array
        type(c_ptr) :: address = c_null_ptr
        integer(int64) :: ids = 0          !< length of the last dimension; 1 for a scalar
        integer(int64) :: width = 0        !< values of one id
        integer(c_size_t) :: value_bytes = 0
        integer(c_int) :: type = 0         !< gs_type of groundswell/c/output.h
        logical :: contiguous = .false.
    contains
        procedure :: bytes_per_id
    end type

    interface gs_array
        procedure of_int32, of_int64, of_real32, of_real64
    end interface

contains

    pure integer(c_size_t) function bytes_per_id(self)
        class(gs_array), intent(in) :: self
        bytes_per_id = int(self%width, c_size_t)*self%value_bytes
    end function

    function of_int32(array) result(view)
        integer(int32), intent(in), target :: array(..)
        type(gs_array) :: view
        view = described(c_loc(array), shape(array, int64), 4_c_size_t, 1_c_int, is_contiguous(array))
    end function

    function of_int64(array) result(view)
        integer(int64), intent(in), target :: array(..)
        type(gs_array) :: view
        view = described(c_loc(array), shape(array, int64), 8_c_size_t, 2_c_int, is_contiguous(array))
    end function

    function of_real32(array) result(view)
        real(real32), intent(in), target :: array(..)
        type(gs_array) :: view
        view = described(c_loc(array), shape(array, int64), 4_c_size_t, 3_c_int, is_contiguous(array))
    end function

    function of_real64(array) result(view)
        real(real64), intent(in), target :: array(..)
        type(gs_array) :: view
        view = described(c_loc(array), shape(array, int64), 8_c_size_t, 4_c_int, is_contiguous(array))
    end function

    function described(address, extents, value_bytes, type, contiguous) result(view)
        type(c_ptr), intent(in) :: address
        integer(int64), intent(in) :: extents(:)
        integer(c_size_t), intent(in) :: value_bytes
        integer(c_int), intent(in) :: type
        logical, intent(in) :: contiguous
        type(gs_array) :: view
        view%address = address
        view%ids = 1
        view%width = 1
        if (size(extents) > 0) then
            view%ids = extents(size(extents))
            view%width = product(extents(:size(extents) - 1))
        end if
        view%value_bytes = value_bytes
        view%type = type
        view%contiguous = contiguous
    end function

end module groundswell_arrays
