// Allocport
