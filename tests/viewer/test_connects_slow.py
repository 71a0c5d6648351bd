"""2,000 connects and disconnects leave descriptors and memory as they were; test_server.py has a tenth of them."""
import os
import sys
import unittest
from pathlib import Path

os.environ["RESILIN_VIEW_CONNECTS"] = "2000"
sys.path.insert(0, str(Path(__file__).parent))
from test_server import ServerTest  # noqa: E402


def load_tests(loader, _standard, _pattern):
    return unittest.TestSuite([ServerTest("test_connects_and_disconnects_leak_nothing")])


if __name__ == "__main__":
    unittest.main()
