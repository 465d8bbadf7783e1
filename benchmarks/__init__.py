"""Speed and quality, measured against something else in the same run."""
