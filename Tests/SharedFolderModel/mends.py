"""The rules that the model consists of, each with a name by which it can be left out, so that a check can be seen to fail."""

RULES = {
    "settle": "who runs the app says what the actions come to, where the changes alone come to something else",
    "causes first": "a line stands after what its writer had read, whatever the clocks say",
    "plain clocks": "a line has its writer's own time, whatever times its writer has read",
    "gate": "a line counts once all that its writer had read is there",
    "carry": "a line that somebody misses is copied by somebody who has it",
    "incarnation": "who finds other lines in the own journal than the own goes on under a new name, having read the old one's",
    "neighbours": "an insertion into a keyed list names the elements on both sides of it",
    "keys": "a change says by which member the elements of a list are told apart",
    "inert": "elements without a key stay where they are in a keyed list",
    "ghosts": "what was removed stays known, so that an edit that wins brings the whole back",
    "mistaken": "a checkpoint that took an echo for an edit, as it had never heard of its writer, counts no more",
    "ghosts under checkpoints": "a checkpoint says what was removed that somebody's edit didn't know of yet",
    "seed at zero": "what a new device begins with sorts before all that anybody did",
    "read back": "what was exported is read from the own journal, not noted elsewhere",
    "own log": "a device exports what its own log has, and no other change of the document",
    "newest app": "where apps differ, the newest one's values count",
    "cut in order": "a checkpoint is a prefix of the order, no set of lines that all have read",
    "acknowledged": "a checkpoint covers what all have read only",
    "void": "a save that is what some instance wrote is no edit",
    "consequence": "unless that was written because of this very save",
    "echo of a consequence": "nor by who had found what somebody wrote because of it",
    "timeless": "what was found with its time and without is one save, as who knows most explains it",
    "late": "what was saved before the same bytes, and is found after them, is no return to them",
    "base under a checkpoint": "what was saved and stands on a checkpoint may still be what another save was made from",
    "mend under a checkpoint": "who hadn't been heard of may explain a save that stands on a checkpoint better",
    "restore": "an older version at another time is a restore, not an echo",
    "fresh base": "the base of a save is no version that contains the save",
    "all explanations": "nor one whose writer knew any explanation of a save that was made from the save",
    "base that has it": "who sees that what a save seems to be made from was written because of it tells it anew, by another base",
    "just after": "a base with what was saved a moment later costs what that has changed as well",
    "just before": "of bases that cost the same the one with what was saved a moment before is the nearest",
    "nearer base": "a nearer base may be said later, by anybody",
    "hold": "a known version in FILE gives way only to one that has all that it has",
    "wait": "what stands in FILE waits for journals that are due before it is taken for an edit",
    "burst": "the versions of a burst are all named at its end",
    "old file": "what is older than the checkpoint is reported, not merged",
}

_left_out = set()


def holds(rule):
    """Whether a rule is in force."""
    return rule not in _left_out


def leave_out(*rules):
    """From now on these rules are not in force, and all others are."""
    unknown = set(rules) - set(RULES)
    if unknown:
        raise SystemExit(f"model: there is no rule {sorted(unknown)[0]!r}, but: {', '.join(RULES)}")
    _left_out.clear()
    _left_out.update(rules)
