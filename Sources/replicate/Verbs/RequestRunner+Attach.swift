extension RequestRunner {
  /// Serves a client over standard input and output.
  func attach(creates: Bool) throws -> ExitCode {
    var attachment = try Attachment(
      options: mirrorOptions(creates: creates), timeout: options.timeout, console: console)
    try attachment.run()
    return .done
  }
}
