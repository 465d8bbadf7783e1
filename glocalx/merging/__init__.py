"""From local rules to theories: join and cut, one merge, the search for the next, the record."""
