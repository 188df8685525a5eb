import StateJSON

/// Why a document doesn't allow an operation.
enum OperationError: Error, Equatable, Sendable {
  case pointer(JSONPointerError)
  /// Something on the way is missing that the same operation could make.
  case missingOnTheWay(JSONPointerError)
  case patch(JSONPatchError)
  case notANumber(JSONPointer, String)
  case sumTooLong(JSONPointer, JSONNumber.SumTooLongError)
  /// The value to be replaced is not the one that the replacement was made from.
  case movedOn(JSONPointer)
  /// The command that was to make a new value.
  case filter(Failure)

  var exitCode: ExitCode {
    switch self {
    case .pointer(let error) where error.code == .syntax || error.code == .root: .usage
    case .pointer(let error) where error.code == .tooDeep: .invalid
    case .patch(let error) where [.syntax, .tooDeep, .tooLarge].contains(error.code): .invalid
    case .notANumber, .sumTooLong: .invalid
    case .filter(let failure): failure.code
    case .pointer, .missingOnTheWay, .patch, .movedOn: .no
    }
  }

  /// The text of the pointer that is at fault, if it is a single one.
  var pointer: String? {
    switch self {
    case .pointer(let error), .missingOnTheWay(let error): error.pointer
    case .patch, .filter: nil
    case .notANumber(let pointer, _), .sumTooLong(let pointer, _), .movedOn(let pointer): "\(pointer)"
    }
  }
}

extension OperationError: CustomStringConvertible {
  /// The whole story, in lower case, ready to follow `replicate: `.
  var description: String {
    switch self {
    case .pointer(let error), .missingOnTheWay(let error): error.message
    case .patch(let error): error.message
    case .notANumber(let pointer, let kind): "'\(pointer)' is \(kind), not a number"
    case .sumTooLong(let pointer, let error): "'\(pointer)': \(error)"
    case .filter(let failure): failure.message
    case .movedOn(let pointer): "the value at '\(pointer)' changed meanwhile"
    }
  }
}
