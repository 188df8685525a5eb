"""Terminals side by side as a picture, one moment after another."""
from html import escape

from pictures.screen import runs, width

# In pixels, for a font of 14.
CELL, LINE, MARGIN, BAR = 8.4, 18, 14, 28
SECONDS = 4
COLOURS = {
    "plain": "#d8dee9", "faint": "#8590a6", "red": "#ff7b72", "green": "#7ee787", "yellow": "#e3b341",
    "cyan": "#79c0ff", "blue": "#a5b8ff", "magenta": "#d2a8ff", "black": "#161b22",
}
FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
PAPER, FRAME, INVERSE = "#161b22", "#30363d", "#3b4f6b"


class Window:
    """A place in the picture where a terminal is shown."""

    def __init__(self, title, columns, rows, x, y):
        self.title, self.columns, self.rows, self.x, self.y = title, columns, rows, x, y
        self.width, self.height = columns * CELL + 2 * MARGIN, rows * LINE + BAR + MARGIN

    def frame(self):
        yield (
            f'<rect x="{self.x:g}" y="{self.y:g}" width="{self.width:g}" height="{self.height:g}" rx="8" '
            f'fill="{PAPER}" stroke="{FRAME}"/>')
        for index, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
            yield f'<circle cx="{self.x + 16 + index * 16:g}" cy="{self.y + 14:g}" r="5" fill="{colour}"/>'
        yield (
            f'<text x="{self.x + self.width / 2:g}" y="{self.y + 18:g}" text-anchor="middle" '
            f'fill="{COLOURS["faint"]}">{escape(self.title)}</text>')

    def contents(self, captured):
        for row, line in enumerate(runs(captured)[: self.rows]):
            y = self.y + BAR + row * LINE
            for column, text, style in line:
                if style.inverse:
                    yield self.box(column, y, sum(map(width, text)))
                yield from self.text(column, y, text, style)

    def box(self, column, y, columns):
        return (
            f'<rect x="{self.x + MARGIN + column * CELL:g}" y="{y:g}" width="{columns * CELL:g}" height="{LINE}" '
            f'fill="{INVERSE}"/>')

    def text(self, column, y, text, style):
        """Each character at its place, as fonts don't agree how wide the unusual ones are."""
        weight = ' font-weight="bold"' if style.bold else ""
        for start, word in words(text):
            places = []
            for character in word:
                places.append(f"{self.x + MARGIN + (column + start) * CELL:.1f}".removesuffix(".0"))
                start += width(character)
            yield (
                f'<text x="{" ".join(places)}" y="{y + 13.5:g}" fill="{COLOURS[style.ink]}"{weight}>'
                f"{escape(word)}</text>")


def words(text):
    """The words of a text with their columns."""
    column = 0
    for word in text.split(" "):
        if word:
            yield column, word
        column += sum(map(width, word)) + 1


def picture(windows, moments, still, caption):
    """An SVG that needs nothing else. Who wants no motion, or can't show it, sees one moment only."""
    columns = max(window.x + window.width for window in windows) + 1
    rows = max(window.y + window.height for window in windows) + 1
    length = len(moments) * SECONDS
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns:g} {rows:g}" width="{columns:g}" '
        f'height="{rows:g}" font-family="{FONTS}" font-size="14">')
    yield f"<title>{escape(caption)}</title>"
    yield (
        "<style>@media (prefers-reduced-motion: no-preference) { "
        f".m {{ visibility: hidden; animation: m {length}s step-end infinite }} "
        f"@keyframes m {{ 0% {{ visibility: visible }} {100 / len(moments):g}% {{ visibility: hidden }} }} }}</style>")
    for window in windows:
        yield from window.frame()
    for index, moment in enumerate(moments):
        hidden = "" if index == still else ' visibility="hidden"'
        yield f'<g class="m"{hidden} style="animation-delay: {index * SECONDS}s">'
        for window, captured in zip(windows, moment):
            yield from window.contents(captured)
        yield "</g>"
    yield "</svg>"
