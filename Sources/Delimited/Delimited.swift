// Delimited
