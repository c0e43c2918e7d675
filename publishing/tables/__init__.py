"""Spreadsheets of a newsroom's backlog: one table a kind, each line right or named with its fault."""
