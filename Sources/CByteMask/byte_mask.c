// All of this target is inline, in its header.
#include "byte_mask.h"
