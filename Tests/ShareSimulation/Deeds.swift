import Replication
import StateJSON

/// The actions of a world, by the line that says them, and what must be there of them.
struct Deeds {
  private var actions: [LineID: [JSONValue]] = [:]
  /// The commits that were exported, by machine and label: once is enough.
  private var noted: Set<String> = []
  /// The sum that all those come to that were asked for last.
  private(set) var sum = 0

  /// Takes note of the entries that were made of commits, those of a log after one of them.
  mutating func note(_ lines: ArraySlice<JournalLine>, of log: [LocalCommit], after label: String?, by machine: Int) {
    var rest = label.map { label in log.drop { $0.label != label }.dropFirst() } ?? log[...]
    for line in lines {
      guard case .entry(let entry) = line.contents, let upto = entry.upto else { continue }
      let end = rest.firstIndex { $0.label == upto } ?? rest.endIndex - 1
      guard end >= rest.startIndex else { continue }
      let run = rest[...end]
      rest = rest[(end + 1)...]
      let news = run.filter { noted.insert("\(machine) \($0.label)").inserted }
      if actions[line.id] == nil { actions[line.id] = news.flatMap { $0.actions ?? [] } }
    }
  }

  /// The promises that a document breaks: each action that anybody has heard of must be there, once.
  mutating func breaches(of document: JSONValue, among known: Set<LineID>) -> [String] {
    var breaches: [String] = []
    var (tokens, rows, dropped): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var tags: [String: Int] = [:]
    sum = 0
    for action in actions.filter({ known.contains($0.key) }).values.joined() {
      let parts = action.elements
      switch parts[0].string {
      case "token": tokens.insert(parts[1].string)
      case "set":
        if let pointer = try? JSONPointer(parsing: parts[1].string), pointer.tokens[0] == "tokens" {
          tokens.insert(pointer.tokens[1])
        }
      case "add": sum += parts[1].integer
      case "increment": sum += parts[2].integer
      case "row": rows.insert(parts[1].string)
      case "drop": dropped.insert(parts[1].string)
      case "tag": tags[parts[1].string, default: 0] += 1
      case "append": tags[parts[2].string, default: 0] += 1
      default: break
      }
    }
    guard case .object(let there) = document[member: "tokens"] else { return ["there are no tokens"] }
    if !tokens.isSubset(of: there.keys) { breaches.append("tokens are lost") }
    let elements = document[member: "rows"].elements
    let ids = elements.compactMap { $0.id?.string }
    if Set(ids).count != ids.count { breaches.append("a row is there twice") }
    if elements.contains(where: { $0[member: "v"] == .null }) { breaches.append("a row is there in part") }
    if !rows.subtracting(dropped).isSubset(of: ids) { breaches.append("rows are lost") }
    var found: [String: Int] = [:]
    for tag in document[member: "tags"].elements { found[tag.string, default: 0] += 1 }
    if tags.contains(where: { $0.value > found[$0.key, default: 0] }) { breaches.append("tags are lost") }
    if found.contains(where: { $0.value > tags[$0.key, default: 0] }) { breaches.append("a tag is there twice") }
    return breaches
  }
}
