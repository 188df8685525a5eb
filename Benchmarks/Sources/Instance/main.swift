import Documents
import FoundationEssentials
import Glibc
import HotReload
import StateJSON
import StoreCore

let help = """
  A store that joins a file, and does what each line of its input says; it answers with a line. For Benchmarks/run.

      instance FILE [power|alone|actions|sharing FOLDER]

  With `power` commits survive a power cut; `alone` the store only begins with the file's state, and mirrors nothing; with
  `actions` versions are recorded with them; `sharing` it shares the file with other devices through a folder.

  watch               says from now on, for each sequence number that a subscriber gets, the number and when
  watch-count         the same for the count
  subscribe N         adds subscribers that do nothing
  number N            dispatches a sequence number, and answers when it began
  commits N           dispatches and commits, one after the other; answers with the nanoseconds of each
  batches N SIZE      dispatches so many before each commit; answers the same
  dispatches N        dispatches without waiting; answers with the nanoseconds of all
  pauses SECONDS      changes an item every tenth of a millisecond; answers with the longest, and what one in a thousand exceeds
  count SECONDS       increments, each acknowledged before the next; answers how many, and the longest wait
  pipeline SECONDS N  increments, N at a time acknowledged; answers the same
  rate N SECONDS      dispatches N a second, evenly; answers how many
  quit                commits and leaves, as the end of the input does

  Times are nanoseconds of the monotonic clock.
  """

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, path != "--help" else {
  print(help)
  exit(arguments.isEmpty ? 2 : 0)
}

let subject: Subject
let isSharing = arguments.count == 3 && arguments.dropFirst().first == "sharing"
if arguments.last == "alone" {
  let text = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  subject = Subject(
    Store(try JSONValueDecoder().decode(Catalogue.self, from: JSONValue(parsing: text)), reducer: reduce))
} else {
  let mirror = HotReload<Catalogue, CatalogueAction>(
    file: path, join: .require, durability: arguments.last == "power" ? .power : .process, timeout: .seconds(120),
    sharing: isSharing ? Sharing(through: arguments.last, app: "catalogue") : Sharing(),
    recordsActions: arguments.last == "actions")
  subject = Subject(try Store(Catalogue(), reducer: reduce, middleware: [mirror]))
}
say("ready")
while let line = readLine() {
  let words = line.split(separator: " ")
  guard let verb = words.first, verb != "quit" else { break }
  say(try await subject.perform(String(verb), words.dropFirst().compactMap { Double($0) }))
}
try await subject.close()
