#ifndef ALLOCATOR_H
#define ALLOCATOR_H

// Memory that a process gives back while it runs.

/// Gives memory that was freed back to the system, where the C library is glibc.
void allocator_trim(void);

/// Gives the pages of machine code that were touched back to the system, on Linux: what is still needed is mapped again
/// from the file's cache when it is called.
void allocator_give_back_code(void);

#endif
