"""An invented publication, “The Long Signal”: what `make demo` shows."""
