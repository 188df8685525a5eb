import StateJSON

/// Does what a request asks for with its file: one method for each group of verbs.
struct RequestRunner {
  let request: Request
  let options: CommonOptions
  let console: Console

  func run() throws -> ExitCode {
    switch request.action {
    case .view(let pointer, let isPlain): try view(pointer, isPlain: isPlain)
    case .watch(let watch): try self.watch(watch)
    case .get(let pointers, let version, let style): try get(pointers, version, style)
    case .write(let write, let creates): try self.write(try operation(write), creates: creates)
    case .update(let pointer, let command, let creates): try update(pointer, command, creates: creates)
    case .exec(let pointer, let command): try exec(pointer, command)
    case .wait(let pointer, let value): try wait(pointer, try value.map { try self.value($0, .value) })
    case .attach(let creates): try attach(creates: creates)
    case .history(let history): try self.history(history)
    case .diff(let difference, let json): try diff(difference, json: json)
    case .blame(let pointer, let json): try blame(pointer, json: json)
    case .restore(let version): try restore(version)
    case .undo(let isMine): try isMine ? undoMine() : undo()
    case .record(let path): try record(into: path)
    case .replay(let replay): try self.replay(replay)
    case .show(let count, let json): try show(count: count, json: json)
    case .share(let share): try self.share(share)
    case .devices(let json): try devices(json: json)
    case .verify(let json): try verify(json: json)
    case .doctor(let json): try doctor(json: json)
    }
  }
}
