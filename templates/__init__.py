"""The templates and static files of diptych's pages, as a package."""
