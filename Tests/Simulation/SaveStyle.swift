import HotReload
import StateJSON
import Synchronization

/// How a program saves: step by step.
///
/// The list of styles is a file, `Tests/save-styles.json`, which `scripts/torture` reads as well.
struct SaveStyle: Sendable, Equatable {
  enum Step: String, Sendable, Decodable {
    /// What is at the path is read, as far as it makes sense; then it is edited.
    case load
    /// A pause.
    case idle
    /// The path is opened, and made if nothing is there.
    case open
    /// The same, and emptied.
    case openEmptied = "open emptied"
    /// The file at the path is opened, which has to be there.
    case openStanding = "open standing"
    /// The same, unless it is still open from the save before.
    case openKept = "open kept"
    /// Another file is made.
    case openBeside = "open beside"
    case write
    case writeInPieces = "write in pieces"
    /// It is written through memory, which nobody is told of.
    case writeMapped = "write mapped"
    case empty
    /// The file is cut to the size of what was written.
    case cut
    case close
    case renameOver = "rename over"
    case renameToBackup = "rename to backup"
    case unlink
    case unlinkBackup = "unlink backup"
  }

  let name: String
  let steps: [Step]

  private static let list = Mutex<[SaveStyle]>([])

  /// All styles that there are; ``read()`` comes first.
  static var all: [SaveStyle] { list.withLock { $0 } }

  /// The one that is possible whatever is at the path.
  static var renameOver: SaveStyle { all[0] }

  /// Reads the list. Not to be called by who runs on a simulated machine, which doesn't have it.
  static func read(_ path: String = #filePath) {
    let folder = path.split(separator: "/").dropLast(2).joined(separator: "/")
    do {
      let bytes = try FileDescriptor(opening: "/\(folder)/save-styles.json", System.O_RDONLY)
        .contents(expecting: 4096, limit: 1 << 20)
      let entries = try JSONValueDecoder().decode([Entry].self, from: JSONDocument(parsing: bytes))
      list.withLock { $0 = entries.map { SaveStyle(name: $0.style, steps: $0.steps) } }
    } catch {
      fatalError("save-styles.json: \(error)")
    }
  }

  /// A style as the list has it.
  private struct Entry: Decodable {
    let style: String
    let steps: [Step]
  }
}

/// In a plan it stands by its name.
extension SaveStyle: RawRepresentable, Codable {
  var rawValue: String { name }

  init(rawValue name: String) {
    guard let style = Self.all.first(where: { $0.name == name }) else { fatalError("there is no style \(name)") }
    self = style
  }
}
