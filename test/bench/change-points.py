"""Finds change points with Apache Otava: `python3 change-points.py FILE [EXAMPLE]` prints a JSON array with the places of each series.

FILE contains {"magnitude": ..., "series": [[...], ...]}. All other options of Otava are the defaults. EXAMPLE is the path of
tests/tigerbeetle_test.py in Otava's source package. Its series then replaces those in FILE: {"series": [...], "places": [...]}.
"""
import importlib.util
import json
import sys

from otava.analysis import compute_change_points

MAX_PVALUE = 0.001


def places(series, magnitude):
    found, _ = compute_change_points(series, max_pvalue=MAX_PVALUE, min_magnitude=magnitude)
    return [int(point.index) for point in found]


with open(sys.argv[1]) as file:
    asked = json.load(file)
if len(sys.argv) > 2:
    spec = importlib.util.spec_from_file_location("example", sys.argv[2])
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    series = example._get_series()
    print(json.dumps({"series": series, "places": places(list(series), asked["magnitude"])}))
else:
    print(json.dumps([places(series, asked["magnitude"]) for series in asked["series"]]))
