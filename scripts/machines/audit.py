"""What all machines have been answered so far, and what of it is there."""


class Audit:
    def __init__(self, fleet):
        self.fleet = fleet
        self.least = self.most = 0  # what the counter may be
        self.missed = set()

    def take(self, values):
        """What a scenario came to, by what the files of all machines hold: cells of its row, and what went wrong."""
        counts = [node.worker.count for node in self.fleet.nodes]
        answered = sum(count.answered for count in counts)
        self.least += sum(count.increments for count in counts)
        self.most += sum(count.increments + count.doubtful for count in counts)
        expected = self.expected()
        lost = twice = 0
        complaints, missing = [], set()
        for node, value in zip(self.fleet.nodes, values):
            missing_here = {
                (member, key) for (member, key), number in expected.items() if value[member].get(key) != number}
            missing |= missing_here
            lost = max(lost, self.least - value["n"] + len(missing_here - self.missed))
            twice = max(twice, value["n"] - self.most)
            if not self.least <= value["n"] <= self.most:
                complaints.append(f"/n is {value['n']} on {node.name}, not {self.least} to {self.most}")
        new = sorted(missing - self.missed)
        if new:
            complaints.append(f"not everywhere: {', '.join('/'.join(name) for name in new[:4])}; {len(new)} in all")
        # What was lost or doubled is not told again.
        self.missed |= missing
        self.least = self.most = values[0]["n"]
        return {"issued": sum(count.issued for count in counts), "answered": answered, "everywhere": answered - lost,
                "counter": values[0]["n"], "lost": lost, "twice": twice}, complaints

    def expected(self):
        """Tokens that were answered, and keys that were saved."""
        tokens = {("tokens", token): int(token.split("-")[1])
                  for node in self.fleet.nodes for token, is_answered in node.worker.tokens.items() if is_answered}
        return tokens | {("edits", key): number for key, number in self.fleet.editor.keys.items()}
