cimport cython

from workers.simulator.stream cimport Streams

cdef long long NONE, READ, WAYS, WEIGHT_BITS, PLACES_SKEWED, PLACES_NORMAL, PLACES_ZONED
cdef long long SERVE_RANDOM, SERVE_SEQUENTIAL, SERVE_NONUNIFORM
cdef long long SERVICE_SHIFT, NORMAL_DRAWS
cdef unsigned long long MASK_64


@cython.final
cdef class Places:
    cdef Streams place
    cdef Streams sizes
    cdef Streams order
    cdef Streams files_stream
    cdef unsigned long long[::1] key
    cdef long long[::1] low
    cdef long long[::1] high
    cdef long long[::1] granule
    cdef long long[::1] align
    cdef long long[::1] split_bytes
    cdef long long[::1] split_percent
    cdef long long[::1] split_first
    cdef long long[::1] first_file
    cdef long long[::1] file_offset
    cdef long long[::1] file_size
    cdef long long[::1] file_bytes
    cdef long long[::1] slot
    cdef long long[::1] opened
    cdef long long[::1] open
    cdef long long[::1] next_unopened
    cdef long long[::1] service
    cdef long long[::1] service_ios
    cdef long long[::1] service_left
    cdef long long[::1] turn
    cdef long long[::1] current
    cdef long long[::1] exhausts
    cdef long long[::1] random
    cdef long long[::1] mapped
    cdef long long[::1] shared_map
    cdef long long[::1] every
    cdef long long[::1] until_random
    cdef long long[::1] identical
    cdef long long[::1] add_bytes
    cdef long long[::1] random_percent
    cdef long long[::1] blocks
    cdef long long[::1] last_start
    cdef long long[::1] last_end
    cdef long long[::1] pass_position
    cdef long long[::1] pass_number
    cdef long long[::1] kind
    cdef long long[::1] shift
    cdef long long[::1] spread
    cdef long long[::1] cells_first
    cdef long long[::1] cells_end
    cdef long long[::1] service_first
    cdef long long[::1] service_end
    cdef long long[::1] cell_first
    cdef long long[::1] cell_length
    cdef long long[::1] cell_until
    cdef long long[::1] cell_position
    cdef long long[::1] cell_pass
    cdef public long long start
    cdef public long long size

    cpdef void choose(self, long long thread, long long direction) noexcept nogil
    cdef bint draws_random(self, long long thread, long long sizes) noexcept nogil
    cdef long long sequential(self, long long thread, long long file, long long row, long long sizes) noexcept nogil
    cdef long long draw_size(self, long long thread, long long sizes, long long room) noexcept nogil
    cdef long long random_block(self, long long thread, long long file, long long direction) noexcept nogil
    cdef long long in_zone(self, long long thread, long long cell) noexcept nogil
    cdef long long normal(self, long long thread, long long row) noexcept nogil
    cdef long long from_cells(self, long long thread, long long first, long long end) noexcept nogil
    cdef long long cell_of(self, long long weight, long long first, long long end) noexcept nogil
    cdef long long next_file(self, long long thread) noexcept nogil
    cdef long long choose_slot(self, long long thread) noexcept nogil
    cdef void close_if_done(self, long long thread, long long slot) noexcept nogil
    cdef void open_again(self, long long thread) noexcept nogil
