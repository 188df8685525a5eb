/// A file that is open, and what it was when that was found out.
struct OpenFile: ~Copyable {
  let descriptor: FileDescriptor
  var status: FileStatus
  /// Whether it is open for writing, by whom it was written: nobody gets a read lease on it then, nor does he.
  var isWritten = false
  /// The attributes that it had when it was about to be replaced.
  var attributes: [String: [UInt8]]?
}
