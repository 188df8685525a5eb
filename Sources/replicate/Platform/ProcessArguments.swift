/// The words that the process was started with.
enum ProcessArguments {
  /// The words after the command's own name.
  ///
  /// `CommandLine.arguments` would repair what is not UTF-8, and so lead to another file than the one that was named.
  static func words() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let word = String(validatingCString: pointer) else {
        throw .usage("argument \(index) is not valid UTF-8: '\(String(cString: pointer))'")
      }
      words.append(word)
    }
    return words
  }
}
