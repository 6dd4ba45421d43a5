"""The stages: a selection, a prompt, a lane and housekeeping each, through one pipeline."""
