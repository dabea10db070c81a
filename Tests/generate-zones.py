#!/usr/bin/env python3
"""Writes Sources/Zones/EmbeddedZones.swift and Tests/ZonesTests/ZoneFixture.swift.

Facts come from the tz database, which is in the public domain (https://www.iana.org/time-zones). Usage:

    Tests/generate-zones.py /usr/share/zoneinfo/tzdata.zi

`zic -b slim` compiles that file; its TZif output (RFC 9636) is rewritten as one short line of text a zone:

    <types>;<transitions>;<POSIX TZ rule for what comes after>

A type is `<UTC offset in seconds>=<abbreviation>`, separated by commas; the first one holds before the first transition.
A transition is a letter, the index of its type (A = 0), and base-36 digits: the time since the transition before it
(since 1970 for the first) in units of 900 s; with a `.` before the digits in seconds. The fixture holds what Python's
zoneinfo says of the same compiled files.
"""
import datetime, os, struct, subprocess, sys, tempfile, zoneinfo

ZONES = """UTC America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix America/Anchorage
America/Toronto America/Vancouver America/Halifax America/Mexico_City America/Sao_Paulo America/Argentina/Buenos_Aires
America/Bogota America/Santiago America/Puerto_Rico America/St_Johns America/Winnipeg America/Edmonton
America/Indiana/Indianapolis America/Detroit America/Regina Europe/London Europe/Dublin Europe/Lisbon Europe/Madrid
Europe/Paris Europe/Brussels Europe/Luxembourg Europe/Amsterdam Europe/Berlin Europe/Zurich Europe/Vienna Europe/Rome
Europe/Stockholm Europe/Oslo Europe/Copenhagen Europe/Helsinki Europe/Tallinn Europe/Riga Europe/Vilnius Europe/Warsaw
Europe/Prague Europe/Budapest Europe/Bucharest Europe/Sofia Europe/Athens Europe/Istanbul Europe/Moscow Europe/Kyiv
Europe/Belgrade Europe/Zagreb Europe/Ljubljana Atlantic/Reykjavik Asia/Tokyo Asia/Shanghai Asia/Hong_Kong Asia/Taipei
Asia/Singapore Asia/Kolkata Asia/Kathmandu Asia/Dubai Asia/Jerusalem Asia/Seoul Asia/Bangkok Asia/Jakarta Asia/Manila
Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Perth Australia/Adelaide Pacific/Auckland
Africa/Johannesburg Africa/Cairo Pacific/Honolulu EST MST HST""".split()
LINKS = dict(line.split() for line in """US/Eastern America/New_York
US/Central America/Chicago
US/Mountain America/Denver
US/Pacific America/Los_Angeles
US/Arizona America/Phoenix
US/Alaska America/Anchorage
US/Hawaii Pacific/Honolulu
US/Michigan America/Detroit
US/East-Indiana America/Indiana/Indianapolis
EST5EDT America/New_York
CST6CDT America/Chicago
MST7MDT America/Denver
PST8PDT America/Los_Angeles
America/Indianapolis America/Indiana/Indianapolis
America/Buenos_Aires America/Argentina/Buenos_Aires
America/Montreal America/Toronto
Canada/Eastern America/Toronto
Canada/Central America/Winnipeg
Canada/Mountain America/Edmonton
Canada/Pacific America/Vancouver
Canada/Atlantic America/Halifax
Canada/Newfoundland America/St_Johns
Canada/Saskatchewan America/Regina
Mexico/General America/Mexico_City
Brazil/East America/Sao_Paulo
Asia/Calcutta Asia/Kolkata
Asia/Katmandu Asia/Kathmandu
Asia/Tel_Aviv Asia/Jerusalem
Israel Asia/Jerusalem
Japan Asia/Tokyo
Singapore Asia/Singapore
Hongkong Asia/Hong_Kong
PRC Asia/Shanghai
ROC Asia/Taipei
ROK Asia/Seoul
GB Europe/London
GB-Eire Europe/London
Eire Europe/Dublin
Portugal Europe/Lisbon
Poland Europe/Warsaw
Turkey Europe/Istanbul
Asia/Istanbul Europe/Istanbul
Iceland Atlantic/Reykjavik
Europe/Kiev Europe/Kyiv
Europe/Belfast Europe/London
Europe/Bratislava Europe/Prague
Europe/Vaduz Europe/Zurich
Europe/Monaco Europe/Paris
CET Europe/Brussels
MET Europe/Brussels
EET Europe/Athens
WET Europe/Lisbon
W-SU Europe/Moscow
NZ Pacific/Auckland
Australia/ACT Australia/Sydney
Australia/NSW Australia/Sydney
Australia/Canberra Australia/Sydney
Australia/Victoria Australia/Melbourne
Australia/Queensland Australia/Brisbane
Australia/West Australia/Perth
Australia/South Australia/Adelaide
Etc/UTC UTC
Etc/GMT UTC
Etc/Zulu UTC
Etc/UCT UTC
Etc/Universal UTC
Etc/Greenwich UTC
GMT UTC
GMT0 UTC
UCT UTC
Zulu UTC
Universal UTC
Greenwich UTC
Z UTC""".splitlines())
FIXED = {"EST": "EST5", "MST": "MST7", "HST": "HST10"}


def base36(number):
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        if number == 0:
            return digits


def read_tzif(data):
    def header(at):
        magic, _, *counts = struct.unpack(">4sc15x6l", data[at : at + 44])
        assert magic == b"TZif"
        return counts

    isut, isstd, leap, times, types, chars = header(0)
    at = 44 + times * 5 + types * 6 + chars + leap * 8 + isstd + isut
    isut, isstd, leap, times, types, chars = header(at)
    at += 44
    when = struct.unpack(f">{times}q", data[at : at + 8 * times])
    at += 8 * times
    which = list(data[at : at + times])
    at += times
    infos = [struct.unpack(">lBB", data[at + 6 * i : at + 6 * i + 6]) for i in range(types)]
    at += 6 * types
    names = data[at : at + chars]
    at += chars + 12 * leap + isstd + isut
    rule = data[at:].strip(b"\n").decode()
    return when, which, [(o, names[n : names.index(b"\0", n)].decode()) for o, _, n in infos], rule


def encode(data):
    when, which, infos, rule = read_tzif(data)
    text = ",".join(f"{offset}={name}" for offset, name in infos) + ";"
    last = 0
    for moment, index in zip(when, which):
        delta = moment - last
        last = moment
        # The first transition lies before 1970: its distance is written as a positive number.
        delta = abs(delta)
        text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index] + (base36(delta // 900) if delta % 900 == 0 else "." + base36(delta))
    assert not when or when[0] < 0
    return text + ";" + rule


def main():
    source = sys.argv[1]
    version = open(source).readline().split()[-1]
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["zic", "-b", "slim", "-d", folder, source], check=True)
        raw = lambda zone: open(os.path.join(folder, zone), "rb").read()
        lines = [(z, f"0={z};;{FIXED[z]}" if z in FIXED else encode(raw(z))) for z in sorted(ZONES)]
        with open(os.path.join(here, "../Sources/Zones/EmbeddedZones.swift"), "w") as out:
            out.write(f"""// Written by Tests/generate-zones.py from the tz database {version} (public domain); do not edit.
// swift-format-ignore-file

/// The zones that the markets of brokerages use, so that the same input gives the same instants on any machine.
enum EmbeddedZones {{
    /// Zones by id, sorted; the format is described in the generator and read by `ZoneData`.
    static let zones: [(id: String, data: String)] = [
""")
            out.writelines(f'        ("{zone}", "{text}"),\n' for zone, text in lines)
            out.write("    ]\n\n    /// Other names of embedded zones, sorted.\n    static let links: [(id: String, zone: String)] = [\n")
            out.writelines(f'        ("{link}", "{zone}"),\n' for link, zone in sorted(LINKS.items()))
            out.write("    ]\n}\n")
        write_fixture(here, version, lambda z: zoneinfo.ZoneInfo.from_file(open(os.path.join(folder, z), "rb"), z))


def write_fixture(here, version, load):
    utc = datetime.timezone.utc
    epoch = datetime.datetime(1970, 1, 1, tzinfo=utc)
    rows = []
    state = 20250101
    for zone in sorted(z for z in ZONES if z not in FIXED):
        info = load(zone)
        moments = []
        for _ in range(6):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            moments.append(-2208988800 + (state >> 11) % 6311433600)
        # Both sides of the changes of some years, found by halving.
        for year in (1918, 1942, 1974, 1975, 2007, 2024, 2038, 2099):
            day = int((datetime.datetime(year, 1, 1, tzinfo=utc) - epoch).total_seconds())
            look = lambda s: (epoch + datetime.timedelta(seconds=s)).astimezone(info).utcoffset()
            for week in range(0, 366 * 86400, 7 * 86400):
                low, high = day + week, day + week + 7 * 86400
                if look(low) == look(high):
                    continue
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (middle, high) if look(middle) == look(low) else (low, middle)
                moments += [high - 1, high]
        for moment in moments:
            local = (epoch + datetime.timedelta(seconds=moment)).astimezone(info)
            rows.append(f"{zone} {moment} {int(local.utcoffset().total_seconds())} {local.tzname()}")
    with open(os.path.join(here, "ZonesTests/ZoneFixture.swift"), "w") as out:
        out.write(f"""// Written by Tests/generate-zones.py: what Python's zoneinfo says of the tz database {version}; do not edit.
// swift-format-ignore-file

/// Lines of: zone, seconds since 1970 in UTC, offset from UTC in seconds, abbreviation.
let zoneFixture = \"\"\"
""")
        out.writelines(f"    {row}\n" for row in rows)
        out.write('    """\n')
    print(len(rows), "instants")


main()
