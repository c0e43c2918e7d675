"""A large, invented, always equal publication, to measure pages and queries on."""
