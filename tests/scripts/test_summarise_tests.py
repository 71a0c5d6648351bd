"""What ./test says at its end: every case is counted once, and what was skipped is named with its reason."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from summarise_tests import summarise  # noqa: E402

JUNIT = """<testsuite name="x" tests="6" failures="1">
<testcase name="io.A.Reads" status="run"><system-out>[ OK ]</system-out></testcase>
<testcase name="io.A.Fails" status="fail"><failure message=""/><system-out>no</system-out></testcase>
<testcase name="io.A.NeedsMeshes" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>tests/io/test_a.cpp:3: Skipped
RESILIN_MESHES is not set

[  SKIPPED ]</system-out></testcase>
<testcase name="contract.E/Quick.Keeps/e1  # GetParam() = 1" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>test.cpp:28: Skipped
RESILIN_MESHES is not set
[  SKIPPED ] E/Quick.Keeps/e1 (569 ms)
</system-out></testcase>
<testcase name="contract.E/Quick.Keeps/e2" status="run"><system-out>known failure: e2: height: it buckles
</system-out></testcase>
<testcase name="io.A.NoProgram" status="notrun"><skipped message="Unable to find executable"/></testcase>
<testcase name="io.A.Off" status="disabled"><skipped message="Disabled"/></testcase>
<testcase name="cli.test_check" status="run"><system-out>test_a (__main__.Check.test_a) ... ok
test_b (__main__.Check.test_b)
What b is about. ... skipped 'there is no Chromium'
test_c (__main__.Check) ... skipped "it's late"

OK (skipped=2)</system-out></testcase>
</testsuite>"""


class Summary(unittest.TestCase):
    def test_counts_and_names(self):
        passed, failed, skipped, known = summarise(JUNIT)
        self.assertEqual((passed, failed), (3, 2), "a program that is missing is a failure")
        self.assertEqual(skipped, [("io.A.NeedsMeshes", "RESILIN_MESHES is not set"),
                                   ("contract.E/Quick.Keeps/e1", "RESILIN_MESHES is not set"), ("io.A.Off", "disabled"),
                                   ("cli.test_check.test_b", "there is no Chromium"), ("cli.test_check.test_c", "it's late")])
        self.assertEqual(known, ["e2: height: it buckles"])


if __name__ == "__main__":
    unittest.main()
