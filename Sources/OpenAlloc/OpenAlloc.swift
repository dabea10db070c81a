// OpenAlloc
