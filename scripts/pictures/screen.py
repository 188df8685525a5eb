"""What a terminal shows, as text with colours."""
import re
import unicodedata
from dataclasses import dataclass, replace

INKS = {"30": "black", "31": "red", "32": "green", "33": "yellow", "34": "blue", "35": "magenta", "36": "cyan", "39": "plain", "90": "faint"}
# What a code changes. A line below text is no colour, and isn't drawn.
CHANGES = {
    "1": {"bold": True}, "7": {"inverse": True}, "27": {"inverse": False}, "4": {}, "24": {}, "49": {},
    **{code: {"ink": ink} for code, ink in INKS.items()}}


@dataclass(frozen=True)
class Style:
    ink: str = "plain"
    bold: bool = False
    inverse: bool = False

    def after(self, codes):
        """The style after a sequence that selects graphic renditions, as tmux writes them."""
        style = self
        for code in codes.split(";"):
            if code in ("", "0"):
                style = Style()
            elif code in CHANGES:
                style = replace(style, **CHANGES[code])
            else:
                raise ValueError(f"there is no colour for {code!r}")
        return style


def width(character):
    """How many columns a character takes."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def runs(captured):
    """The lines of `tmux capture-pane -e`: for each its runs of (column, text, style)."""
    style = Style()
    lines = []
    for line in captured.split("\n"):
        column, found = 0, []
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if part.startswith("\x1b"):
                style = style.after(part[2:-1])
            elif part:
                found.append((column, part, style))
                column += sum(map(width, part))
        lines.append(found)
    return lines
