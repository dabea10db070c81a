import Delimited
import Foundation
import TestSupport
import Testing

@testable import Importing

struct DraftTests {
    private func draft(_ input: MemoryInput, id: String = "acme.history") throws -> (DefinitionDraft, DraftTrial) {
        let sheet = try #require(try Sheet(input))
        let draft = try #require(DefinitionDraft(sheet, id: id, vocabulary: Known.vocabulary))
        let importer = try DefinitionLoader.load(Array(draft.yaml.utf8), file: "draft.yaml")
        return (draft, try DraftTrial.run(importer, input))
    }

    static let american = """
        Acme Brokerage
        Account Number,55512345

        Trade Date,What,Ticker,Qty,Price,Fees,Net Amount
        03/18/2024,Purchase,NWTM,10,45.00,1.00,-451.00
        03/19/2024,Sold Shares,NWTM,4,46.50,1.00,185.00
        04/02/2024,Dividend,NWTM,,,,2.40
        04/03/2024,Loyalty Gift,,,,,5.00
        Data is delayed by twenty minutes
        """

    @Test func readsWhatItKnowsAndAsksForTheRest() throws {
        let (draft, trial) = try draft(memory("acme.csv", Self.american))
        #expect(trial.outcomes["accepted"] == 3)
        #expect(trial.unknownActions == ["Loyalty Gift": 1])
        #expect(trial.outcomes["footer"] == 1)
        #expect(draft.yaml.contains("numbers: us    # "))
        #expect(draft.yaml.contains("dates: [MM/DD/YYYY]"))
        #expect(draft.yaml.contains("        # what is this? 1 row\n        # Loyalty Gift: \n"))
        #expect(draft.unknowns.contains { $0.contains("what 1 action word means") })
        #expect(draft.yaml.contains("Account Number,{account:id}"))
    }

    @Test func asksForTheUnits() throws {
        let text = """
            Date;Op;ISIN;Nb;Unit Price;Total;Cur
            2024-01-08;BUY;US0378331005;10;100.5;1005;USD
            2024-02-12;SELL;US0378331005;4;101.5;406;USD
            """
        let (draft, _) = try draft(memory("acme.csv", text))
        #expect(draft.unknowns.contains { $0.hasPrefix("which column has the units: if it is ‘Nb’") })
    }

    @Test func asksForTheAmount() throws {
        let text = """
            Trade Date;What;Ticker;Qty;Price;Fees;Net
            18/03/2024;Purchase;NWTM;10;45,00;1,00;-451,00
            19/03/2024;Sold Shares;NWTM;4;46,50;1,00;185,00
            """
        let (draft, _) = try draft(memory("acme.csv", text))
        #expect(draft.unknowns.contains { $0.contains("money paid or received: if it is ‘Net’") })
    }

    /// The word for a total is no date, and the dates of the other rows are proven all the same.
    @Test func findsDatesAboveATotal() throws {
        let text = """
            Fecha;Operación;ISIN;Títulos;Precio;Importe
            03/05/2024;COMPRA;ES0144580Y14;110;11,42;-1.259,20
            21/05/2024;VENTA;ES0148396007;8;44,90;356,20
            TOTAL;;;;;-903,00
            """
        let (draft, trial) = try draft(memory("valores.csv", text))
        #expect(draft.yaml.contains("dates: [DD/MM/YYYY]") && draft.yaml.contains("      date: Fecha"))
        #expect(trial.outcomes["accepted"] == 2 && trial.outcomes["total"] == 1)
    }

    @Test func readsWeekdaysBeforeAndAfterDates() throws {
        let czech = """
            Datum;Typ;ISIN;Počet;Cena;Částka;Měna
            út 16.01.2024;Nákup;CZ0005112300;12;934,50;-11 214,00;CZK
            čt 15.02.2024;Prodej;CZ0005112300;5;951,20;4 756,00;CZK
            """
        #expect(try draft(memory("cz.csv", czech)).0.yaml.contains("dates: [EEE DD.MM.YYYY]"))
        let japanese = """
            約定日,取引,銘柄コード,数量,単価,受渡金額
            2024年1月10日(水),買付,7203,100,"2,690","269,000"
            2024年2月14日(水),売付,7203,40,"3,351","134,040"
            合計,,,,,
            """
        let yaml = try draft(memory("jp.csv", japanese)).0.yaml
        #expect(yaml.contains("dates: ['YYYY年M月D日(EEE)']") && !yaml.contains("rest: true"))
    }

    /// What the file is of ends with the later day; with the first, all of its dates would lie in the future.
    @Test func takesTheEndOfAPeriod() throws {
        let text = """
            Zeitraum: 01.01.2024 - 31.03.2024
            Datum;Typ;ISIN;Stück;Kurs;Betrag;Währung
            18.03.2024;Kauf;US0378331005;10;1.045,00;-10.450,00;EUR
            """
        #expect(try draft(memory("umsaetze.csv", text)).0.yaml.contains("- {exported}'"))
    }

    /// The rows of a second account are not those of the first.
    @Test(arguments: ["Account: 111-222333", "Account,111-222333"])
    func takesEachAccountForItsRows(_ line: String) throws {
        let part = "Symbol,Name,Qty,Last,Value\nAAB,Aardvark Bank,12,10.5,126.00\nTotal,,,,126.00\n"
        let text = line + "\n" + part + "\n" + line.replacing("333", with: "444") + "\n" + part
        let (draft, trial) = try draft(memory("positions.csv", text))
        #expect(draft.yaml.components(separatedBy: "{account:id}").count == 2)
        #expect(draft.yaml.contains("    is: section") && !draft.yaml.contains("rest: true"))
        #expect(trial.outcomes["accepted"] == 2 && trial.outcomes["section"] ?? 0 > 0)
    }

    @Test func takesTheOnlyDateForTheDay() throws {
        let text = """
            Valuta;Buchungstext;ISIN;Stück;Kurs;Betrag
            11.01.2024;Kauf;US0378331005;25;81,35;-2.033,75
            29.01.2024;Verkauf;US0378331005;10;83,10;831,00
            """
        let (draft, trial) = try draft(memory("umsaetze.csv", text))
        #expect(draft.yaml.contains("      date: Valuta    # check: a guess: there is no other date"))
        #expect(trial.outcomes["accepted"] == 2)
    }

    @Test func asksForDatesAndSecuritiesThatItCannotRead() throws {
        let text = """
            Datum;Typ;Papier;Stück;Kurs;Betrag
            Woche 3;Kauf;AAB;25;81,35;-2.033,75
            Woche 5;Verkauf;AAB;10;83,10;831,00
            """
        let (draft, _) = try draft(memory("umsaetze.csv", text))
        #expect(draft.unknowns.contains { $0.hasPrefix("how the dates in ‘Datum’ are written") })
    }

    /// Names over two lines: the first of them is no table.
    @Test func readsNamesOverTwoLines() throws {
        let text = """
            Trade,,Security,,Number of,Unit,Gross,Net
            Date,Type,Code,Name,Shares,Price,Amount,Amount
            2024-01-09,Bought,TLS,Telstra Group,300,3.91,1173.00,-1192.95
            2024-02-16,Sold,TLS,Telstra Group,120,4.02,482.40,462.45
            """
        let (draft, trial) = try draft(memory("two.csv", text))
        #expect(draft.yaml.contains("  - name: rows    # line 2: 2 rows"))
        #expect(trial.outcomes["accepted"] == 2)
    }

    @Test func readsAGermanExport() throws {
        let text = """
            Datum;Typ;ISIN;Stück;Kurs;Betrag;Währung
            18.03.2024;Kauf;US0378331005;10;1.045,00;-10.450,00;EUR
            19.03.2024;Verkauf;US0378331005;4;46,50;186,00;EUR
            """
        let (draft, trial) = try draft(memory("umsaetze.csv", text))
        #expect(trial.outcomes["accepted"] == 2 && trial.records == 2)
        #expect(draft.yaml.contains("numbers: eu"))
        #expect(draft.yaml.contains("DD.MM.YYYY"))
    }

    /// A list of securities has no words for what its rows are, even where a name is one.
    @Test(arguments: [
        "Symbol,Name,Shares,Last,Value\nNWTM,Northwind,10,20.25,202.50\nSELL,Sellers,5,10,50.00\n",
        "Symbol,Shares,Price,Total\nBUY,10,20.25,202.50\nNWTM,5,10,50.00\nQYG,3,1,3.00\n",
    ])
    func takesNoNamesForActions(_ text: String) throws {
        let (draft, trial) = try draft(memory("list.csv", text))
        #expect(draft.yaml.contains("symbol: Symbol") && draft.yaml.contains("kind: position"), "\(draft.yaml)")
        #expect(trial.outcomes["rejected"] == nil)
    }

    /// Names that YAML would read otherwise come back as they are: line breaks, quotes, colons, words for truth.
    @Test(arguments: [
        "\"Net\nAmount\"", "\"Net\tAmount\"", "'Net", "\"a: b # c\"", "{x}", "- y", "yes", "\"say \"\"net\"\"\"",
    ])
    func writesEveryHeaderName(_ name: String) throws {
        let text = "Date,Action,Symbol,Quantity,Price,\(name)\n03/18/2024,Buy,NWTM,10,45.00,-450.00\n"
        let (draft, trial) = try draft(memory("acme.csv", text))
        #expect(trial.outcomes["header"] == 1 && trial.outcomes["rejected"] == nil, "\(draft.yaml)")
    }

    @Test func saysWhenDayAndMonthCannotBeTold() throws {
        let (draft, _) = try draft(
            memory("a.csv", "Date,Action,Symbol,Quantity,Price,Amount\n01/02/2024,Buy,AA,1,2.50,-2.50\n"))
        #expect(draft.unknowns.contains { $0.hasPrefix("day or month first") })
    }

    /// A draft can be given away: it holds no value of the file that could be anybody's.
    @Test(arguments: Repository.samples) func holdsNoValues(_ path: String) throws {
        let input = try Repository.input(path)
        guard let sheet = try Sheet(input),
            let draft = DefinitionDraft(sheet, id: "acme.history", vocabulary: Known.vocabulary)
        else {
            return
        }
        _ = try DefinitionLoader.load(Array(draft.yaml.utf8), file: "draft.yaml")
        let written = Set(draft.yaml.split { !$0.isNumber }.filter { $0.count >= 5 })
        let headers = sheet.lines.compactMap(\.header).flatMap(\.cells).joined(separator: " ")
        for number in written { #expect(headers.contains(number), "\(number)") }
    }
}

struct LintTests {
    private func warnings(_ yaml: String) -> [DefinitionWarning] {
        DefinitionLint(against: Known.importers).warnings(Array(yaml.utf8), file: "a.yaml")
    }

    @Test func namesWeakFingerprintsAndUnusedColumns() {
        let found = warnings(
            """
            importer: acme.history
            version: 1
            title: Acme
            zone: UTC
            dates: [YYYY-MM-DD]
            tables:
              - name: rows
                columns:
                  date: Unheard Of Day
                  amount: Unheard Of Sum
                  mood: Mood
                require: [date, amount]
                kind: cash
            """)
        #expect(found.map(\.line) == [12, 11])
        #expect(found[0].message.contains("2 column(s)") && found[1].message.hasSuffix("never used: mood"))
        #expect(found[1].column == 7)
    }

    @Test func namesRejectionsOfNoColumn() {
        let found = warnings(
            """
            importer: acme.history
            version: 1
            title: Acme
            zone: UTC
            dates: [YYYY-MM-DD]
            tables:
              - name: rows
                columns: {date: Unheard Of Day, amount: Unheard Of Sum, note: Unheard Of Note}
                require: [date, amount, note]
                rows:
                  - {when: {note: odd}, reject: {why: it is odd, column: note}}
                  - {when: {note: even}, reject: {why: it is even, column: nte}}
                kind: cash
            """)
        #expect(found.map(\.line) == [7])
        #expect(found.first?.message.contains("‘nte’") ?? false)
    }

    @Test func namesOverlaps() {
        let found = warnings(
            """
            importer: acme.history
            version: 1
            title: Acme
            zone: UTC
            tables:
              - name: rows
                columns: {order: trade id, product: product, action: side}
                require: [order, product, action]
                kind: cash
            """)
        #expect(found.contains { $0.message.contains("every file of coinbase.fills also has") })
    }

    @Test func findsNothingWhereNothingIs() {
        #expect(warnings("not yaml: [").isEmpty)
    }
}

struct DriftTests {
    @Test func namesTheLineToChange() throws {
        let text = """
            "Date","Action","Symbol","Description","Share Qty","Price","Fees & Comm","Amount"
            "03/10/2025","Buy","ACME","ACME ROBOTICS","100","$57.25","","-$5,725.00"
            """
        let importer = try #require(Known.registry.importer("schwab.transactions"))
        let sheet = try #require(try Sheet(memory("a.csv", text)))
        #expect(DriftPatch(importer, for: sheet)?.lines == ["columns.units: add \"Share Qty\""])
    }

    /// The definition of another export is no remedy, though a column or two have its names.
    @Test(arguments: ["fidelity.trader", "schwab.transactions", "wealthfolio.holdings"])
    func proposesNothingForAnothersFile(_ id: String) throws {
        let text = """
            Run Date,Account,Account Number,What,Symbol,Description,Kind,Quantity,Price,Desk,Branch,Officer,Sum
            03/10/2025,Roth,X1,Buy,ACME,ACME ROBOTICS,Cash,100,57.25,A,B,C,-5725.00
            """
        let importer = try #require(Known.registry.importer(id))
        let sheet = try #require(try Sheet(memory("a.csv", text)))
        #expect(DriftPatch(importer, for: sheet) == nil)
    }

    @Test func proposesNothingWhoseValuesDoNotFit() throws {
        let text = """
            "Date","Action","Symbol","Description","Share Qty","Price","Fees & Comm","Amount"
            "03/10/2025","Buy","ACME","ACME ROBOTICS","many","$57.25","","-$5,725.00"
            """
        let importer = try #require(Known.registry.importer("schwab.transactions"))
        let sheet = try #require(try Sheet(memory("a.csv", text)))
        #expect(DriftPatch(importer, for: sheet) == nil)
    }
}
