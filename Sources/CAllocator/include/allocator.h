#ifndef ALLOCATOR_H
#define ALLOCATOR_H

// What the C library's allocator can do beyond the C standard, where it is glibc's.

/// Gives memory that was freed back to the system.
void allocator_trim(void);

#endif
