import Testing

@testable import Importing

/// What browsers and desktops put behind the name of a file is none of it.
@Suite struct FileNameTests {
    @Test(arguments: [
        ("History.csv", "History"), ("History (1).csv", "History"), ("My History (12).csv", "My History"),
        ("History - Copy.csv", "History"), ("History - Kopie (2).csv", "History"),
        ("My History copy.csv", "My History"), ("My History copy 2.csv", "My History"),
        ("History (copy).csv", "History"), ("History (Kopie 3).csv", "History"), ("History (copie).csv", "History"),
        ("Copy.csv", "Copy"), ("Account 2.csv", "Account 2"), ("A - B.csv", "A - B"),
        ("Hard copy trades.csv", "Hard copy trades"), ("a  b.csv", "a  b"), (" .csv", " "),
    ])
    func stem(name: String, stem: String) { #expect(FileNameContext.stem(name) == stem) }
}
