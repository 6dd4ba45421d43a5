"""Crustacean keeps an AI agent's memory as a folder of markdown."""

__version__ = "0.1.0"
