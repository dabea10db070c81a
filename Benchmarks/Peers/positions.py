"""Usage: positions.py OUTPUT INPUT… : the six core columns of holdings by csv and Decimal, the plain way."""

import csv
import sys
from decimal import Decimal

HEADER = ["holdingAccountID", "holdingSecurityID", "holdingLotID", "shareCount", "shareBasis", "acquiredAt"]


def number(text):
    return format(Decimal(text.strip().replace("$", "").replace(",", "").replace("+", "")), "f")


with open(sys.argv[1], "w", newline="", encoding="utf-8") as out:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for path in sys.argv[2:]:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                writer.writerow([
                    row["Account Number"].strip(), row["Symbol"].strip(), "",
                    number(row["Quantity"]), number(row["Average Cost Basis"]), "",
                ])
