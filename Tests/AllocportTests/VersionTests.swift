import Allocport
import Testing

@Test func versionIsThreeNumbers() {
    let parts = Allocport.version.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    #expect(parts.allSatisfy { Int($0) != nil })
}
