"""What a dispatch costs, as its own program measures it."""

import re

from programs import Failed

TEXT = "What the `dispatch` program prints, in units of a bare lock and closure; [docs/performance.md](../../docs/performance.md) says more."


def run(place, report):
    report.section("Dispatch", TEXT)
    text = place.output([place.product("dispatch"), "--rounds", 1 if place.quick else 60], timeout=300)
    if len(re.findall(r"^\|.*\| [0-9]+ \| [0-9.]+ \|", text, re.MULTILINE)) < 40:
        raise Failed("dispatch printed no tables")
    report.say(re.sub(r"^## ", "### ", text.strip(), flags=re.MULTILINE))
