"""The folder of markdown: its paths, its settings, and its files without loss of a byte."""
