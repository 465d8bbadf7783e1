"""What the pages share: session and address, opened runs, background work, words and widgets."""
