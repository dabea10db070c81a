import Testing

@testable import OpenAlloc
