"""What was said: the agents' session stores, read as sessions and turns. Nothing here writes to a store."""
