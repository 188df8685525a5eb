/// Decides when a thread is to leave its processor to whoever waits for it.
///
/// Linux may wake him on the same one although another one is idle, and then does so again and again: each waits for the other, where they could
/// work at the same time. To move costs about as much as two commits lose by that; where it doesn't help, each time is put off for twice
/// as long as the last.
struct Crowding {
  private var hold: Int?
  private var patience = 2
  private var count = 0

  /// Whether to leave it now, as both were on the same processor at the last commit, or weren't. With the next hold of the lock all is
  /// forgotten.
  mutating func isTooMuch(_ isCrowded: Bool, inHold hold: Int) -> Bool {
    if hold != self.hold { self = Crowding(hold: hold) }
    count = isCrowded ? count + 1 : 0
    guard count >= patience else { return false }
    (count, patience) = (0, patience * 2)
    return true
  }

  init() {}

  private init(hold: Int) { self.hold = hold }
}
