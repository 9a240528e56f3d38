"""What the C encoder is made of: walks, storage, ranges, theories, clauses, and the way back."""
