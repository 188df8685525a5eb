import Measuring
import RemoteControl
import StoreCore
import StoreRecording

/// What it costs to know afterwards what happened, or from elsewhere. For a recording by the size of the state: each row takes
/// some twenty bytes.
func recordings(_ files: Files) throws -> Topic {
  func subject(_ name: String, rows: Int, _ recorder: Recorder<App, Action>) throws -> Subject {
    var app = App()
    app.rows = (0..<rows).map { Row(id: $0) }
    let store = try Store(app, reducer: reduce, middleware: [recorder])
    files.closeAtEnd(store)
    return Subject(name) { store.dispatch(.add(1)) }
  }
  func subject(_ name: String, _ middleware: any Middleware<App, Action>) throws -> Subject {
    let store = try Store(App(), reducer: reduce, middleware: [middleware])
    return Subject(name) { store.dispatch(.add(1)) }
  }
  return Topic(
    "Recordings",
    [
      try subject("`TimeTravel`, a hundred steps", TimeTravel()),
      try subject("`RemoteControl`, not serving", RemoteControl()),
      try subject("`Recorder`, a state of 1 KB", rows: 10, Recorder(files.path("small"), limits: .init(archive: 0))),
      try subject(
        "`Recorder`, of 10 KB", rows: 400, Recorder(files.path("middle"), limits: .init(archive: 0))),
      try subject(
        "`Recorder`, of 100 KB", rows: 4_200, Recorder(files.path("large"), limits: .init(archive: 0))),
      try subject(
        "a flight recorder of a hundred steps, of 1 KB", rows: 10,
        Recorder(files.path("flight"), limits: .flight(archive: 0))),
    ])
}
