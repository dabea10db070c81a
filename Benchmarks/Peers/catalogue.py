"""Usage: catalogue.py OUTPUT FOLDER: the cells of all files by csv, numbers by Decimal; what they mean is not asked."""

import csv
import os
import re
import sys
from decimal import Decimal

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")

with open(sys.argv[1], "w", newline="", encoding="utf-8") as out:
    writer = csv.writer(out, lineterminator="\n")
    for folder, _, names in sorted(os.walk(sys.argv[2])):
        for name in sorted(names):
            with open(os.path.join(folder, name), newline="", encoding="utf-8", errors="replace") as file:
                text = file.readline() + file.readline() + file.readline()
                delimiter = max(",;\t|", key=text.count)
                file.seek(0)
                for row in csv.reader(file, delimiter=delimiter):
                    writer.writerow([Decimal(cell) if NUMBER.fullmatch(cell) else cell for cell in row])
