"""The rules of Boogie that hold before anything is encoded: what names mean, types, what may be changed."""
