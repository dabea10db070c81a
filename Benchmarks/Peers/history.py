"""Usage: history.py OUTPUT INPUT… : the nine core columns of a history by csv and Decimal, the plain way."""

import csv
import sys
from datetime import datetime, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")
HEADER = [
    "txnAction", "txnTransactedAt", "txnAccountID", "txnSecurityID", "txnLotID",
    "txnShareCount", "txnSharePrice", "realizedGainShort", "realizedGainLong",
]
KINDS = [
    ("YOU BOUGHT", "buysell", True), ("YOU SOLD", "buysell", True), ("DIVIDEND", "income", False),
    ("ELECTRONIC FUNDS", "transfer", False), ("FOREIGN TAX", "miscflow", False),
]
days = {}


def utc(day):
    if day not in days:
        month, date, year = day.split("/")
        noon = datetime(int(year), int(month), int(date), 12, tzinfo=NEW_YORK)
        days[day] = noon.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return days[day]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            action = row["Action"].strip()
            for prefix, word, is_trade in KINDS:
                if action.startswith(prefix):
                    break
            else:
                raise ValueError(action)
            units, price = row["Quantity"], row["Price ($)"]
            if not is_trade:
                units, price = row["Amount ($)"], "1"
            yield [
                word, utc(row["Run Date"].strip()), row["Account Number"].strip(), row["Symbol"].strip(), "",
                format(Decimal(units), "f"), format(Decimal(price), "f"), "", "",
            ]


with open(sys.argv[1], "w", newline="", encoding="utf-8") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for path in sys.argv[2:]:
        writer.writerows(rows(path))
