import Testing

@testable import Allocport

/// What programs leave in folders is no input.
struct PassedOverNamesTests {
    @Test(
        arguments: [
            (".DS_Store", "folder settings"), ("desktop.ini", "folder settings"), ("Thumbs.db", "folder settings"),
            ("~$Positions.xlsx", "lock of a document that is open"),
            (".~lock.history.csv#", "lock of a document that is open"),
            ("._history.csv", "AppleDouble file"), ("history.csv", nil), ("~history.csv", nil),
            ("my desktop.ini.csv", nil),
        ] as [(String, String?)])
    func isPassedOver(_ name: String, _ reason: String?) {
        #expect(InputFinder.reasonToPassOver(name) == reason)
    }
}
