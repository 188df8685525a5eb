extension Problem {
  /// What the system refused, as a problem of the file.
  init(_ code: Code, file: String, _ error: SystemError) {
    self.init(code, file: file, message: "\(error)", errno: error.errno)
  }
}
