import Testing

@testable import Allocport

/// Which names of one identifier are told as a contradiction.
struct SecurityTitlesTests {
    @Test(arguments: [
        ("NORTHWIND TOTAL MKT ETF", "Northwind Total Market Index ETF"),
        ("GREENFIELD CORP", "Greenfield Corporation, Class A"),
        ("Contoso", "CONTOSO N.V."), ("HELD IN MONEY MARKET", "Example Money Market Fund"), ("É", "é"),
        ("BUND 2.5% 2030", "Bund 15.02.2030"),
    ]) func nameOne(_ one: String, _ other: String) {
        #expect(SecurityTitles.mayNameOne(one, other) && SecurityTitles.mayNameOne(other, one))
    }

    @Test(arguments: [
        ("Alpha Inc", "Beta Inc"), ("Northwind Holdings", "Contoso Holdings plc"), ("BUND 2030", "BUND 2035"),
        ("A", "B"),
        ("", "Alpha"), ("Co Alpha", "Co Beta"), ("500", "500 Index"), ("Example Fund EUR", "Other Fund EUR"),
    ]) func nameTwo(_ one: String, _ other: String) {
        #expect(!SecurityTitles.mayNameOne(one, other) && !SecurityTitles.mayNameOne(other, one))
    }
}
