/// A file that is opened neither for reading nor for writing, which no lease minds: while it is open no other file can have
/// its inode number.
struct Pin: ~Copyable {
  let descriptor: FileDescriptor
  let identity: FileIdentity
}
