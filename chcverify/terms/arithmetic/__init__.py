"""Mathematics on numbers that several parts of the verifier share: intervals and polynomials."""
