from hypothesis import settings

settings.register_profile("workspace", deadline=None)
settings.load_profile("workspace")
