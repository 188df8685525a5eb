"""A diagram with lines and points on logarithmic axes, as SVG."""

import math
from html import escape

COLOURS = [
    "#2563a8", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#475569", "#be185d", "#0891b2", "#84cc16", "#000000",
]
# Where the axes are; names stand to the right of them.
LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 70, 470, 40, 330, 380


class Plot:
    def __init__(self, title, x, y):
        self.title, self.x, self.y = title, x, y
        self.lines = []

    def line(self, name, points):
        """Points are pairs, or triples with a spread to be drawn around them."""
        points = [point if len(point) == 3 else (*point, None) for point in points]
        # There is no zero on a logarithmic axis.
        points = [(x, y, spread) for x, y, spread in points if x > 0 and y > 0]
        if points:
            name = name.replace("`", "")
            self.lines.append((name, points))

    def svg(self):
        xs = [x for _, points in self.lines for x, _, _ in points] or [1]
        ys = [y for _, points in self.lines for _, y, _ in points] or [1]
        across, up = Axis(xs, LEFT, RIGHT), Axis(ys, BOTTOM, TOP)
        width = RIGHT + 50 + 6 * max([len(name) for name, _ in self.lines] or [0])
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{HEIGHT}" fill="#ffffff"/>',
            self._text(LEFT, 22, self.title, size=14),
            self._text((LEFT + RIGHT) / 2, HEIGHT - 12, self.x, "middle"),
            f'<text transform="translate(16 {(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle" fill="#334155">'
            f"{escape(self.y)}</text>",
        ]
        for number in across.ticks():
            place = across(number)
            parts.append(f'<path d="M{place:.1f} {TOP}V{BOTTOM}" stroke="#e2e8f0"/>')
            parts.append(self._text(place, BOTTOM + 16, brief(number), "middle"))
        for number in up.ticks():
            place = up(number)
            parts.append(f'<path d="M{LEFT} {place:.1f}H{RIGHT}" stroke="#e2e8f0"/>')
            parts.append(self._text(LEFT - 6, place + 4, brief(number), "end"))
        for index, (name, points) in enumerate(self.lines):
            parts += self._line(name, points, index, across, up)
        return "\n".join(parts + ["</svg>", ""])

    @staticmethod
    def _text(x, y, text, anchor="start", size=11):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#334155">{escape(text)}</text>'

    def _line(self, name, points, index, across, up):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y, _ in points)
        parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>']
        for x, y, spread in points:
            if spread and spread[0] > 0:
                parts.append(f'<path d="M{across(x):.1f} {up(spread[0]):.1f}V{up(spread[1]):.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="2.8" fill="{colour}"/>')
        row = TOP + 8 + 18 * index
        parts.append(f'<path d="M{RIGHT + 12} {row}h16" stroke="{colour}" stroke-width="2"/>')
        return parts + [self._text(RIGHT + 34, row + 4, name)]


class Axis:
    """Logarithmic, from a power of ten to another."""

    def __init__(self, numbers, begin, end):
        self.low = math.floor(math.log10(min(numbers)) + 1e-9)
        self.high = max(math.ceil(math.log10(max(numbers)) - 1e-9), self.low + 1)
        self.begin, self.end = begin, end

    def __call__(self, number):
        return self.begin + (math.log10(number) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def brief(number):
    for unit, letter in [(1e9, "G"), (1e6, "M"), (1e3, "k")]:
        if number >= unit:
            return f"{number / unit:g} {letter}"
    return f"{number:g}"
