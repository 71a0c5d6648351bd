"""kill -9 at 200 random instants while checkpointing every frame: the newest checkpoint or the one before always loads."""
import unittest

import test_checkpoint


class KillManyTimes(test_checkpoint.Kill):
    kills = 200


def load_tests(loader, _tests, _pattern):
    return loader.loadTestsFromTestCase(KillManyTimes)


if __name__ == "__main__":
    unittest.main()
