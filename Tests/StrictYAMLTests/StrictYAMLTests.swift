import Testing

@testable import StrictYAML
