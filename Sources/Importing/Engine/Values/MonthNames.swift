import Delimited

/// Month names and their abbreviations in the languages that exports use.
enum MonthNames {
    /// The month, 1 to 12, of a name in any known language; nil when it is none.
    static func month(_ word: ByteView) -> Int? {
        if word.count >= 3, let month = english(word) { return month }
        return table[word.string.lowercased()]
    }

    /// The common case without a dictionary: three English letters.
    private static func english(_ word: ByteView) -> Int? {
        guard word.count == 3 else { return nil }
        let key = UInt32(asciiLower(word[0])) << 16 | UInt32(asciiLower(word[1])) << 8 | UInt32(asciiLower(word[2]))
        return englishKeys.firstIndex(of: key).map { $0 + 1 }
    }

    private static let englishKeys: [UInt32] = names[0].map { name in
        name.utf8.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }

    private static let table: [String: Int] = {
        var table: [String: Int] = [:]
        for language in names + abbreviations {
            for (index, word) in language.enumerated() { table[word] = index + 1 }
        }
        return table
    }()

    static let names: [[String]] = [
        "january february march april may june july august september october november december",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "januar februar marts april maj juni juli august september oktober november december",
        "januar februar mars april mai juni juli august september oktober november desember",
        "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        "ledna února března dubna května června července srpna září října listopadu prosince",
        "január február március április május június július augusztus szeptember október november december",
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta"
            + " marraskuuta joulukuuta",
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
    ].map { $0.split(separator: " ").map(String.init) }

    static let abbreviations: [[String]] = [
        "jan feb mar apr may jun jul aug sep oct nov dec", "jan feb mrz apr mai jun jul aug sept okt nov dez",
        "janv févr mars avr mai juin juil août sept oct nov déc", "ene feb mar abr may jun jul ago sept oct nov dic",
        "gen feb mar apr mag giu lug ago set ott nov dic", "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "jan fev mar abr mai jun jul ago set out nov dez", "jan feb mar apr maj jun jul aug sep okt nov dec",
        "jän feb mär apr mai jun jul aug sep okt nov dez",
        "sty lut mar kwi maj cze lip sie wrz paź lis gru", "led úno bře dub kvě čvn čvc srp zář říj lis pro",
        "jan febr márc ápr máj jún júl aug szept okt nov dec", "ian feb mar apr mai iun iul aug sept oct noi dec",
        "oca şub mar nis may haz tem ağu eyl eki kas ara", "янв фев мар апр мая июн июл авг сен окт ноя дек",
    ].map { $0.split(separator: " ").map(String.init) }
}
