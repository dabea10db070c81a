import Testing

@testable import Zones
