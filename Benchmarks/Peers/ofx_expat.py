"""Usage: ofx_expat.py OUTPUT INPUT : the nine core columns of an investment statement in XML, by expat."""

import csv
import sys
from datetime import datetime, timedelta
from xml.parsers import expat

HEADER = [
    "txnAction", "txnTransactedAt", "txnAccountID", "txnSecurityID", "txnLotID",
    "txnShareCount", "txnSharePrice", "realizedGainShort", "realizedGainLong",
]
WANTED = {"DTTRADE", "UNIQUEID", "UNITS", "UNITPRICE", "TOTAL", "ACCTID", "TICKER"}
rows, tickers, fields, text = [], {}, {}, []
account = ""


def utc(moment):
    local = datetime.strptime(moment[:14], "%Y%m%d%H%M%S")
    return (local - timedelta(hours=int(moment[moment.index("[") + 1:moment.index(":")]))).strftime("%Y-%m-%dT%H:%M:%SZ")


def start(name, _):
    text.clear()
    if name in ("BUYSTOCK", "SELLSTOCK", "INCOME", "STOCKINFO"):
        fields.clear()


def end(name):
    global account
    if name in WANTED:
        fields[name] = "".join(text)
        if name == "ACCTID":
            account = fields[name]
    elif name in ("BUYSTOCK", "SELLSTOCK"):
        rows.append(["buysell", fields["DTTRADE"], fields["UNIQUEID"], fields["UNITS"], fields["UNITPRICE"]])
    elif name == "INCOME":
        rows.append(["income", fields["DTTRADE"], fields["UNIQUEID"], fields["TOTAL"], "1"])
    elif name == "STOCKINFO":
        tickers[fields["UNIQUEID"]] = fields["TICKER"]


parser = expat.ParserCreate()
parser.buffer_text = True
parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text.append
with open(sys.argv[2], "rb") as file:
    parser.ParseFile(file)
with open(sys.argv[1], "w", newline="", encoding="utf-8") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for word, moment, security, units, price in rows:
        writer.writerow([word, utc(moment), account, tickers[security], "", units, price, "", ""])
