/// A file that was opened for reading, and what it was then.
struct OpenFile: ~Copyable {
  let descriptor: FileDescriptor
  let status: FileStatus
}
