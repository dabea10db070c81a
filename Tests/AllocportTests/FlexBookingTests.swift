import TestSupport
import Testing

@testable import Allocport

/// What a booking of Flex is hangs on its units where another section says it: such rows take no short road.
@Suite struct FlexBookingTests {
    @Test func manyBookingsAgreeWithTheirEvents() throws {
        let contract = #"accountId="U1" currency="USD" assetCategory="WAR" symbol="XIX C" conid="7" multiplier="1""#
        var text =
            #"<FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1"><FlexStatement accountId="U1">"#
        text += "\n<Trades>\n"
        for row in 0..<800 {
            let units = 1 + row % 8
            text += """
                <Trade \(contract) tradeID="\(1000 + row)" dateTime="202601\(10 + row % 20);1610\(10 + row % 50)" \
                transactionType="BookTrade" buySell="BUY" quantity="\(units)" tradePrice="2" proceeds="-\(2 * units)" \
                ibCommission="0" ibCommissionCurrency="USD" netCash="-\(2 * units)" openCloseIndicator="C" notes="" \
                levelOfDetail="EXECUTION"/>

                """
        }
        text += "</Trades><OptionEAE>\n"
        // Eight units have no event.
        for units in 1...7 {
            text += """
                <OptionEAE \(contract) date="20260119" transactionType="Assignment" quantity="\(units)" tradePrice="2" \
                proceeds="0" tradeID="2"/>

                """
        }
        text += "</OptionEAE></FlexStatement></FlexStatements></FlexQueryResponse>\n"
        let kinds = try convertBuiltIn([("flex.xml", Array(text.utf8))]).transactions["kind"]
        #expect(kinds.count { $0 == "assigned" } == 700 && kinds.count { $0 == "buyToClose" } == 100)
    }
}
