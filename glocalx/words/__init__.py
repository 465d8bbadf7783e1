"""Every text that a person reads. Plain text: escaping is for whoever shows it."""
