import HotReload
import StateJSON
import StoreCore
import TerminalScreen

/// What happens to an inspector.
enum InspectorAction: Sendable {
  // What comes from outside.
  case show(JSONDocument, Cause, time: String)
  case problem(ProblemEvent)
  /// What stands in the file at the place of a problem.
  case excerpt(Excerpt)
  case notices([String])
  case tick(UInt64)
  case resize(Size)
  /// The recent versions, newest first.
  case versions([TimelinePane.Moment])
  /// The moments of a recording, newest first.
  case recorded(String, [TimelinePane.Moment])
  /// What happens is being recorded into a file, or into none any more.
  case capture(into: String?)
  /// An earlier version, and the one before it.
  case look(TimelinePane.Moment, JSONDocument, before: JSONDocument)
  case edited(Edit, OwnEdits.Way, EditOutcome)

  // What somebody does.
  case move(Move)
  case fold(Fold)
  case click(row: Int)
  case scroll(Int)
  case enter
  case leave
  case back
  case follow
  case say(Inspector.Message?)
  case keep(JSONValue)
  case mode(Inspector.Mode)
  case prompt(LineEditor)
  case search(Inspector.Search)
  /// The next one of a search, or, the other way round, the one before.
  case find(Inspector.Search)
  case filter(String)
  case go(JSONPointer)
  case choose(Choice)
  case play(Play)
  /// Back to the newest state.
  case present
  case closeTimeline

  /// Where the cursor goes.
  enum Move: Sendable, Equatable {
    case lines(Int)
    case pages(halves: Int)
    case first, last
    case parent, child
    case sibling(Int)
    case firstSibling, lastSibling
    /// To the last place that changed.
    case change
  }

  /// Which version is chosen.
  enum Choice: Sendable, Equatable {
    case by(Int)
    case at(Int)
    /// The chosen one is to be compared with another, or not any more.
    case mark
  }

  /// How moments are shown one after another.
  enum Play: Sendable, Equatable {
    /// Begins it, or ends it.
    case toggle
    case faster, slower
    /// The next moment is due.
    case step
  }

  /// What is opened or closed.
  enum Fold: Sendable, Equatable {
    case open, close, toggle
    /// The items of what the cursor is in.
    case siblings(isOpen: Bool)
    /// All down to a depth.
    case depth(Int)
  }
}

/// What came of an edit, on the document that it was committed to.
enum EditOutcome: Sendable, Equatable {
  case done
  /// There is something else now than was edited.
  case movedOn
  case failed(String)
}
