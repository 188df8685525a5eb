import Glibc

/// The table of what is mounted for this process, as the kernel lists it in `mountinfo`.
struct MountTable {
  private var types: [String: String] = [:]

  /// The table as it is now.
  static func ofThisProcess() throws(SystemError) -> MountTable {
    let path = "/proc/self/mountinfo"
    let text = try FileDescriptor(opening: path, O_RDONLY).contents(expecting: 1 << 14, limit: 1 << 24)
    return MountTable(String(decoding: text, as: UTF8.self))
  }

  /// Reads a table: in each line the third field is the device, and the first one behind a lone `-` the type.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 3, let separator = fields.dropFirst(6).firstIndex(of: "-"), separator + 1 < fields.count
      else {
        continue
      }
      types[String(fields[2])] = String(fields[separator + 1])
    }
  }

  /// The type of what is mounted from a device; `nil` if nothing is.
  func type(at device: UInt64) -> String? {
    // As the macros `major` and `minor` of the C library have it.
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    return types["\(major):\(minor)"]
  }
}
