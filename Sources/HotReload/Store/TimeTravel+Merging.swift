import StateJSON
import StoreCore

extension TimeTravel where State: Codable {
  /// Carries over what a step from outside changed as the file does, by a three-way merge of the states as they are encoded:
  ///
  ///     typealias Travel = TimeTravel<App, AppAction>
  ///     let travel = Travel(merge: Travel.merging)
  ///
  /// Members merge by key, elements of lists by identity; where both have changed a place, the step from outside wins.
  ///
  /// - Throws: what can't be encoded, or what comes out and can't be decoded.
  public static func merging(before: State, after: State, current: State) throws -> State {
    let encoder = JSONValueEncoder()
    let merged = try encoder.dump(current).merging(from: encoder.dump(before), to: encoder.dump(after))
    return try JSONValueDecoder().decode(State.self, from: merged)
  }
}
