"""Usage: history_polars.py OUTPUT INPUT… : the same nine columns by polars."""

import sys

import polars as pl

action = pl.col("Action").str.strip_chars()
is_trade = action.str.starts_with("YOU ")
inputs = sys.argv[2] if len(sys.argv) == 3 else sys.argv[2:]
frame = pl.scan_csv(inputs, infer_schema=False)
noon = pl.col("Run Date").str.strip_chars().str.to_datetime("%m/%d/%Y").dt.offset_by("12h")
frame = frame.select(
    txnAction=pl.when(is_trade).then(pl.lit("buysell"))
    .when(action.str.starts_with("DIVIDEND")).then(pl.lit("income"))
    .when(action.str.starts_with("ELECTRONIC")).then(pl.lit("transfer"))
    .otherwise(pl.lit("miscflow")),
    txnTransactedAt=noon.dt.replace_time_zone("America/New_York").dt.convert_time_zone("UTC")
    .dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
    txnAccountID=pl.col("Account Number").str.strip_chars(),
    txnSecurityID=pl.col("Symbol").str.strip_chars(),
    txnLotID=pl.lit(None, dtype=pl.String),
    txnShareCount=pl.when(is_trade).then(pl.col("Quantity")).otherwise(pl.col("Amount ($)")).cast(pl.Decimal(18, 6)),
    txnSharePrice=pl.when(is_trade).then(pl.col("Price ($)")).otherwise(pl.lit("1")).cast(pl.Decimal(18, 6)),
    realizedGainShort=pl.lit(None, dtype=pl.String),
    realizedGainLong=pl.lit(None, dtype=pl.String),
)
frame.collect().write_csv(sys.argv[1])
