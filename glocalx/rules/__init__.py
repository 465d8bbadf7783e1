"""Rules, what they cover, and what is measured on them: values, and no data but records."""
