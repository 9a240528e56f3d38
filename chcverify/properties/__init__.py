"""The properties of programs: each one an object, found by its name.

To add a property, write the object and list it in `registry.py`. A property that is a set of checks of the source is
complete with that; one of another kind also names the module of `chcverify.run` that decides it.
"""
