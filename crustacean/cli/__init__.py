"""The command line: arguments in, one call, render out. Nothing below this room prints."""
