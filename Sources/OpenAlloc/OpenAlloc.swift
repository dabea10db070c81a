// The openalloc data model: schemas, typed rows, keys, exact numbers and instants, and their text and JSON forms.
//
// Nothing here reads a clock, a zone, a locale or a file: every function is a function of its arguments.
