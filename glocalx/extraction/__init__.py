"""Local rules: one for each record, made by asking the black box around it, or imported."""
