#pragma once

/// The number of the processor that the calling thread is on; below 0 where the system does not say.
int processor_current(void);

/// Moves the calling thread off a processor, if it is there and may run on another; afterwards it may run on all that it
/// might before.
void processor_leave(int processor);
