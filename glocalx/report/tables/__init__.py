"""The tables of an audit that page and report show: every figure and head, decided once."""
