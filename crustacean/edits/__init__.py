"""Edits: from a model's operations to bytes on disk, and back."""
