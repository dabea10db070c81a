"""Usage: history_duckdb.py OUTPUT INPUT… : the same nine columns by one SQL statement on one thread.

INPUT may be a pattern such as folder/*.csv.
"""

import sys

import duckdb

SQL = """
COPY (
  SELECT
    CASE WHEN starts_with(a, 'YOU ') THEN 'buysell' WHEN starts_with(a, 'DIVIDEND') THEN 'income'
         WHEN starts_with(a, 'ELECTRONIC') THEN 'transfer' ELSE 'miscflow' END AS "txnAction",
    strftime(timezone('UTC', timezone('America/New_York',
      strptime(trim("Run Date"), '%m/%d/%Y') + INTERVAL 12 HOUR)), '%Y-%m-%dT%H:%M:%SZ') AS "txnTransactedAt",
    trim("Account Number") AS "txnAccountID", coalesce(trim("Symbol"), '') AS "txnSecurityID", '' AS "txnLotID",
    CAST(CASE WHEN starts_with(a, 'YOU ') THEN "Quantity" ELSE "Amount ($)" END AS DECIMAL(18, 6)) AS "txnShareCount",
    CAST(CASE WHEN starts_with(a, 'YOU ') THEN "Price ($)" ELSE '1' END AS DECIMAL(18, 6)) AS "txnSharePrice",
    '' AS "realizedGainShort", '' AS "realizedGainLong"
  FROM (SELECT *, trim("Action") AS a FROM read_csv(?, header = true, all_varchar = true))
) TO '{out}' (HEADER, DELIMITER ',')
"""

connection = duckdb.connect()
connection.execute("SET threads = 1")
inputs = sys.argv[2] if len(sys.argv) == 3 else sys.argv[2:]
connection.execute(SQL.format(out=sys.argv[1].replace("'", "''")), [inputs])
