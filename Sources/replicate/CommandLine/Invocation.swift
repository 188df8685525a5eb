import HotReload
import StateJSON

/// What a command line asks for, with every word of it turned into a value.
enum Invocation: Equatable, Sendable {
  case help(Verb?)
  case version
  case generate(GeneratedText)
  /// What a pointer that is being typed goes on with, or the versions of a file.
  case complete(file: String, pointer: String?)
  case run(Request, CommonOptions)
}

/// The options that every verb takes, and the one of all that judge a save.
struct CommonOptions: Equatable, Sendable {
  var isQuiet = false
  var color = ColorChoice.auto
  var timeout = Duration.seconds(10)
  var durability = DurabilityChoice.process
  var externalEdits = ExternalEditsChoice.merge
  /// The places that were typed as dotted paths, and are said back so.
  var dotted: [JSONPointer] = []
}

/// What is to be done with one file.
struct Request: Equatable, Sendable {
  /// The path as it was typed; messages name it so.
  let file: String
  let action: Action

  enum Action: Equatable, Sendable {
    case view(pointer: JSONPointer, isPlain: Bool)
    case watch(Watch)
    /// Of the file as it is, or of a recent version.
    case get(pointers: [JSONPointer], version: String?, style: GetStyle)
    case write(Write, creates: Bool)
    case update(pointer: JSONPointer, command: [String], creates: Bool)
    case exec(pointer: JSONPointer, command: [String])
    case wait(pointer: JSONPointer, value: Input?)
    case attach(creates: Bool)
    case history(History)
    case diff(Difference, json: Bool)
    case blame(pointer: JSONPointer, json: Bool)
    /// The version is given by its first digits.
    case restore(version: String)
    /// One's own last change, or the last one.
    case undo(isMine: Bool)
    case record(into: String)
    case replay(Replay)
    /// With a count, the last steps of that many. The file is the recording.
    case show(count: Int?, json: Bool)
    case share(Share)
    case devices(json: Bool)
    case verify(json: Bool)
    case doctor(json: Bool)
  }

  struct Watch: Equatable, Sendable {
    var pointer: JSONPointer
    /// `nil` stands for `pretty` on a terminal and for `json` elsewhere.
    var format: WatchFormat?
    /// How many values are printed before the end; `nil` means no end.
    var count: Int?
    var onlyChanges = false
    /// Other files that are followed as well.
    var also: [String] = []
  }

  struct History: Equatable, Sendable {
    /// The place that the versions must have changed; `nil` for any.
    var pointer: JSONPointer?
    /// Whether the values are wanted that stood there before and after.
    var patch = false
    /// When the versions must have been made, in milliseconds since 1970.
    var since: Int64?
    /// How many versions at most.
    var count: Int?
    var json = false
  }

  /// What is compared.
  enum Difference: Equatable, Sendable {
    /// A version, by its first digits, with another or with the file.
    case versions(String, newer: String?)
    case otherFile(String)
  }

  struct Replay: Equatable, Sendable {
    /// What makes a step come.
    enum Pace: Equatable, Sendable {
      /// The time, which passes so many times faster than it did.
      case speed(Double)
      /// A line of standard input.
      case lines
    }

    var recording: String
    var pace = Pace.speed(1)
    var from: RecordedPlace?
    var until: RecordedPlace?
    var creates = false
  }

  /// What becomes of sharing a file with other devices.
  enum Share: Equatable, Sendable {
    /// Without a folder, through the same as before, or else through one beside the file.
    case start(folder: String?, name: String?, except: [JSONPointer]?, join: ShareSession.JoinPolicy)
    case stop
  }

  struct GetStyle: Equatable, Sendable {
    var isCompact = false
    var isRaw = false
  }

  /// A change of the document, before its input is read.
  enum Write: Equatable, Sendable {
    case set(pointer: JSONPointer, value: Input, makingParents: Bool)
    case remove(pointer: JSONPointer)
    case increment(pointer: JSONPointer, by: JSONNumber, makingParents: Bool)
    case patch(Input)
    case merge(Input)
  }

  /// A value from the command line, or where to find it.
  enum Input: Equatable, Sendable {
    case value(JSONValue)
    /// Standard input holds one JSON document.
    case standardInput
    /// Standard input holds the text of a string.
    case standardInputText
    /// As ``standardInput``, but nobody said so: a usage error on a terminal, where it would seem to hang.
    case absent
  }
}
