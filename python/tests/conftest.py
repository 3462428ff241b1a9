import hypothesis

# The same cases every time, as the C++ property tests; HYPOTHESIS_PROFILE=default draws others.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
hypothesis.settings.load_profile("repeatable")


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", r"error:iqbo\.:DeprecationWarning")  # only test_names.py uses old names
