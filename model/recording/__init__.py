"""Reading a run: taps, the table of sites, and one recorded pass as frozen numpy."""
