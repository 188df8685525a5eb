// `stderr` is a variable to the compiler; nobody changes it.
@preconcurrency import Glibc
import HotReload
import StoreCore
import TerminalScreen

/// Start it twice on one file, and each mirrors the other; open the file in an editor, and both follow.
@main struct EpisodesProgram {
  static func main() async {
    var words = CommandLine.arguments.dropFirst()
    var recording: String?
    if words.first == "--record" {
      words = words.dropFirst()
      recording = words.popFirst() ?? "-"
    }
    if words.count > 1 || words.first?.hasPrefix("-") == true || recording?.hasPrefix("-") == true {
      fail(
        with: 2,
        "usage: Episodes [--record RECORDING] [FILE], where FILE is 'episodes.json' unless you say another")
    }
    guard Terminal.isThere else { fail(with: 2, "Episodes: it takes a terminal to show episodes on") }
    let terminal = Terminal()
    let session: LiveSession
    do {
      session = try LiveSession(file: words.first ?? "episodes.json", recording: recording, terminal: terminal)
      try await session.run()
    } catch {
      fail(with: 1, "Episodes: \(error)")
    }
    if case .signal(let number) = session.ending { Signals.end(by: number) }
  }

  private static func fail(with code: Int32, _ message: String) -> Never {
    fputs(message + "\n", stderr)
    exit(code)
  }
}
