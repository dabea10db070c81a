#!/usr/bin/env python3
"""Writes Sources/CCodePages/*.c (but code_pages.c) and Tests/DelimitedTests/CodePageFixture.swift. Usage:

    Tests/generate-code-pages.py

Facts come from Python's codecs cp932, gb18030 (its pairs), cp949 and cp950. A table holds, for each lead byte, what the
191 trail bytes 0x40 to 0xFE mean: the character, or U+FFFD where there is none. Pairs for private use are left out: only
the computer that wrote them knows what they mean. `single_bytes.c` holds what the bytes 0x80 to 0xFF mean in pages of
single bytes; a byte that means nothing is the control of its number. The fixture holds what Python says of pairs and texts.
"""
import os, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Python's codec, the C name, the case of TextEncoding, lead bytes that have a row, texts for the fixture.
PAGES = [
    ("cp932", "shift_jis", "shiftJIS", list(range(0x81, 0xA0)) + list(range(0xE0, 0xFD)),
     ["約定日,銘柄,数量［株］", "表示能力ソフト―～①㈱ｱｲｳ髙﨑"]),
    ("gb18030", "gbk", "gbk", list(range(0x81, 0xFF)), ["成交日期,证券代码,买卖标志", "簡體丂龥ǹ€＂镕"]),
    ("cp949", "euc_kr", "eucKR", list(range(0x81, 0xFE)), ["거래일자,종목명,수량", "똠방각하 펲시콜라 株式會社"]),
    ("cp950", "big5", "big5", list(range(0xA1, 0xFA)), ["成交日期,股票名稱,許功蓋", "十卅兀嗀裏"]),
]
TRAILS = range(0x40, 0xFF)
# The C name of a page of single bytes, and Python's codec.
SINGLE = [
    ("windows_1250", "cp1250"), ("windows_1251", "cp1251"), ("windows_1253", "cp1253"), ("windows_1254", "cp1254"),
    ("windows_1257", "cp1257"), ("iso_8859_2", "iso8859_2"), ("iso_8859_15", "iso8859_15"),
]


def character(codec, lead, trail):
    try:
        text = bytes([lead, trail]).decode(codec)
    except UnicodeDecodeError:
        return None
    # Two single bytes, or a character for private use.
    return text if len(text) == 1 and not 0xE000 <= ord(text) < 0xF900 else None


def table(codec, name, leads):
    rows = []
    for lead in leads:
        cells = "".join(character(codec, lead, trail) or "\uFFFD" for trail in TRAILS)
        rows.append(f'    u"{cells[:96]}"\n    u"{cells[96:]}" // {lead:02X}\n')
    path = f"{ROOT}/Sources/CCodePages/{name}.c"
    with open(path, "w", encoding="utf-8") as out:
        out.write(
            f"// Written by Tests/generate-code-pages.py from Python's codec {codec}; do not edit.\n\n"
            f"extern const unsigned short code_page_{name}[];\n\n"
            f"const unsigned short code_page_{name}[{len(leads)} * {len(TRAILS)} + 1] =\n{''.join(rows).rstrip()};\n"
            .replace(f" // {leads[-1]:02X};", f"; // {leads[-1]:02X}"))


def single_bytes():
    def meaning(codec, byte):
        try:
            return ord(bytes([byte]).decode(codec))
        except UnicodeDecodeError:
            return byte

    with open(f"{ROOT}/Sources/CCodePages/single_bytes.c", "w", encoding="utf-8") as out:
        out.write(
            "// Written by Tests/generate-code-pages.py from Python's codecs; do not edit.\n\n"
            '#include "code_pages.h"\n\n'
            "// The characters of the bytes 0x80 to 0xFF; a byte that means nothing is the control of its number.\n"
            "static const uint16_t upper[][128] = {\n")
        for name, codec in SINGLE:
            out.write(f"    [single_byte_page_is_{name}] = {{\n")
            for start in range(0x80, 0x100, 16):
                row = ", ".join(f"0x{meaning(codec, byte):04X}" for byte in range(start, start + 16))
                out.write(f"        {row},\n")
            out.write("    },\n")
        out.write(
            "};\n\nuint16_t single_byte_character(uint8_t page, uint8_t byte) {\n"
            "    if (byte < 0x80 || page >= sizeof upper / sizeof *upper) return byte;\n"
            "    return upper[page][byte & 0x7F];\n}\n")


def facts(codec, case, texts):
    read = written = 0xCBF29CE484222325
    count = 0

    def mix(state, lead, trail, value):
        for byte in (lead, trail, value >> 8, value & 0xFF):
            state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        return state

    for lead in range(0x81, 0xFF):
        for trail in range(256):
            text = character(codec, lead, trail) if trail in TRAILS else None
            if text is None:
                continue
            count += 1
            read = mix(read, lead, trail, ord(text))
            if codec_bytes(codec, text) == bytes([lead, trail]):
                written = mix(written, lead, trail, ord(text))
    lines = [f'            ("{text}", "{codec_bytes(codec, text).hex()}"),\n' for text in texts]
    return (f"        CodePageFacts(\n            encoding: .{case}, pairs: {count}, read: 0x{read:016X},"
            f" written: 0x{written:016X},\n            texts: [\n{''.join('    ' + line for line in lines)}"
            "            ]),\n")


def codec_bytes(codec, text):
    # Windows has the euro as a single byte where GB 18030 has a pair.
    return b"".join(b"\x80" if (codec, c) == ("gb18030", "€") else c.encode(codec) for c in text)


def main():
    for codec, name, case, leads, texts in PAGES:
        table(codec, name, leads)
    single_bytes()
    version = ".".join(map(str, sys.version_info[:2]))
    with open(f"{ROOT}/Tests/DelimitedTests/CodePageFixture.swift", "w", encoding="utf-8") as out:
        out.write(
            f"// Written by Tests/generate-code-pages.py: what the codecs of Python {version} say; do not edit.\n"
            "import Delimited\n\n/// What is known of a code page from elsewhere.\nstruct CodePageFacts: Sendable {\n"
            "    let encoding: TextEncoding\n    /// How many pairs of bytes have a meaning.\n    let pairs: Int\n"
            "    /// FNV-1a of all pairs and their meanings, and of those that are written so.\n"
            "    let read: UInt64\n    let written: UInt64\n    /// Texts and their bytes in hexadecimal.\n"
            "    let texts: [(text: String, bytes: String)]\n\n    static let all = [\n"
            + "".join(facts(codec, case, texts) for codec, _, case, _, texts in PAGES) + "    ]\n}\n")


main()
