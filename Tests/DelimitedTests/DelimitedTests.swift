import Testing

@testable import Delimited
