import Foundation

/// Invented exports.
enum Fixture {
    /// A Fidelity history of one account: three rows, a footer.
    static let history = """
        Run Date,Action,Symbol,Description,Type,Price ($),Quantity,Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date

        07-10-2026,YOU BOUGHT RIVERBANK INC (RVBK) (Cash),RVBK,RIVERBANK INC,Cash,10.5,4,"","","",-42,958,07-13-2026
        07-09-2026,YOU SOLD GREENFIELD CORP (GRNF) (Cash),GRNF,GREENFIELD CORP,Cash,15.25,-4,"","","",61,1000,07-10-2026
        07-08-2026,DIVIDEND RECEIVED RIVERBANK INC (RVBK) (Cash),RVBK,RIVERBANK INC,Cash,"",0,"","","",3.17,939,""

        """

    /// Its file name; the account is in it.
    static let historyName = "History_for_Account_X59000001.csv"

    /// The same with a price and a date that are none.
    static let historyWithRejects =
        history
        .replacing("15.25", with: "bad price")
        .replacing("07-08-2026", with: "13-41-2026")

    /// An openalloc table of holdings.
    static let holdings = """
        holdingAccountID,holdingSecurityID,holdingLotID,shareCount,shareBasis,acquiredAt
        A1,VTI,,10,200.5,2020-02-29T00:00:00Z
        A1,BND,,5,80,

        """

    /// One row that is right and one whose count is no number.
    static let holdingsWithReject = holdings.replacing("5,80", with: "5 shares,80")

    /// A definition of an invented brokerage.
    static let definition = """
        importer: acme.history
        version: 1
        title: Acme account history
        institution: Acme Brokerage
        zone: America/New_York
        currency: USD
        numbers: us
        dates: [YYYY-MM-DD]
        tables:
          - name: history
            columns:
              date: Day of Acme
              action: Deed of Acme
              symbol: Paper
              units: Count
              price: Each
              amount: Money
            require: [date, action, amount]
            actions:
              on: [action]
              words:
                Bought: buy

        """

    /// An export of it.
    static let acme = """
        Day of Acme,Deed of Acme,Paper,Count,Each,Money
        2026-01-05,Bought,RVBK,4,10.50,-42.00

        """
}

/// What JSON text says, for tests that look into it.
func json(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
