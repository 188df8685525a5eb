import RemoteControl
import StateJSON

extension RequestRunner {
  /// The operation of a writing verb, its input read.
  func operation(_ write: Request.Write) throws -> DocumentOperation {
    switch write {
    case .set(let pointer, let input, let makingParents):
      return .set(try value(input, .value), at: pointer, makingParents: makingParents)
    case .remove(let pointer): return .remove(at: pointer)
    case .increment(let pointer, let number, let makingParents):
      return .increment(at: pointer, by: number, makingParents: makingParents)
    case .patch(let input): return .patch(try patch(input))
    case .merge(let input): return .merge(try value(input, .document))
    }
  }

  /// The value that an operand stands for.
  func value(_ input: Request.Input, _ operand: Operand) throws -> JSONValue {
    switch input {
    case .value(let value): return value
    case .standardInput, .absent: return try standardInput(input, operand).value
    case .standardInputText:
      guard let text = String(validating: try StandardStream.input.readToEnd(), as: UTF8.self) else {
        throw Failure(.invalid, "\(StandardStream.input.name) is not valid UTF-8")
      }
      return .string(text)
    }
  }

  /// A patch: JSON of the right shape, which otherwise is a mistake of the command line, or of what was piped in.
  private func patch(_ input: Request.Input) throws -> JSONPatch {
    if case .value(let value) = input {
      do { return try JSONPatch(value) } catch { throw Failure.usage("PATCH: \(error.message)") }
    }
    let document = try standardInput(input, .patch)
    do { return try JSONPatch(document.value) } catch {
      let place = document.location(of: error.index.map { [String($0)] } ?? []).map {
        Failure.Place(source: StandardStream.input.name, line: $0.line, column: $0.column)
      }
      throw Failure(.invalid, error.message, place: place)
    }
  }

  private func standardInput(_ input: Request.Input, _ operand: Operand) throws -> JSONDocument {
    if input == .absent && StandardStream.input.isTerminal {
      throw Failure.usage("\(operand.rawValue) is missing; give it as text, or pipe it in")
    }
    let bytes = try StandardStream.input.readToEnd()
    do { return try JSONDocument(parsing: bytes) } catch { throw Failure(error, in: StandardStream.input.name) }
  }
}
