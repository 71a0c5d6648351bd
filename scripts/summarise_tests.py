#!/usr/bin/env python3
"""Counts what ctest did: passed, failed, and by name the known failures of experiments and what was skipped and why, C++ cases and
those inside Python files alike.

    scripts/summarise_tests.py JUNIT_FILE     the last line is `N passed, N failed`
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

GTEST_REASON = re.compile(r": Skipped\n(.*?)\n(?=\n|\[  SKIPPED)", re.S)
KNOWN_FAILURE = re.compile(r"^known failure: (.*)$", re.M)
PYTHON_SKIP = re.compile(r"^(test_\w+) \([^)]*\)(?:\n[^\n]*)? \.\.\. skipped ['\"](.*)['\"]$", re.M)

PYTEST_SKIP = re.compile(r"^SKIPPED \[\d+\] \S+: (.*)$", re.M)


def summarise(text):
    """(passed, failed, [(name, why it was skipped)], [known failures])"""
    passed, failed, skipped, known = 0, 0, [], []
    for case in ElementTree.fromstring(text).iter("testcase"):
        name, status = case.get("name").split("  # GetParam()")[0], case.get("status")
        output = case.findtext("system-out") or ""
        known += KNOWN_FAILURE.findall(output)
        if status == "fail":
            failed += 1
        elif status == "run":
            passed += 1
            skipped += [(f"{name}.{test}", why) for test, why in PYTHON_SKIP.findall(output)]
            skipped += [(name, why) for why in PYTEST_SKIP.findall(output)]
        else:
            element = case.find("skipped")
            reason = GTEST_REASON.search(output)
            if element is not None and element.get("message") == "SKIP_REGULAR_EXPRESSION_MATCHED":
                skipped.append((name, reason.group(1).strip() if reason else "no reason given"))
            elif status == "disabled":
                skipped.append((name, "disabled"))
            else:  # its program is missing
                failed += 1
    return passed, failed, skipped, known


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        passed, failed, skipped, known = summarise(file.read())
    for row in known:
        print(f"known failure: {row}")
    for name, why in skipped:
        print(f"skipped: {name}: {why}")
    if skipped:
        print(f"{len(skipped)} skipped")
    if known:
        print(f"{len(known)} known failure{'s' * (len(known) != 1)}")
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
