"""Plain text: how it is compared, measured and made safe."""
