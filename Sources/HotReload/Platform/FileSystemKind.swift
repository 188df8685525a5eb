import CLinux
import Glibc

/// What kind of file system a path is on.
package struct FileSystemKind: Hashable, Sendable, CustomStringConvertible {
  /// The magic number of `statfs`.
  package let magic: UInt32

  /// The corresponding C function is `statfs`.
  package init(at path: String) throws(SystemError) {
    var status = statfs()
    try SystemError.check("statfs", path) { statfs(path, &status) }
    magic = UInt32(truncatingIfNeeded: status.f_type)
  }

  package init(magic: UInt32) { self.magic = magic }

  /// Its usual name, as in `mount`; or its number.
  package var description: String { Self.names[magic]?.name ?? "0x" + String(magic, radix: 16) }

  /// Whether files can change without this machine's kernel being told, so that they have to be polled.
  package var changesBehindOurBack: Bool { Self.names[magic]?.isRemote ?? false }

  private static let names: [UInt32: (name: String, isRemote: Bool)] = [
    0xEF53: ("ext4", false), 0x5846_5342: ("xfs", false), 0x9123_683E: ("btrfs", false),
    0x0102_1994: ("tmpfs", false), 0xF2F5_2010: ("f2fs", false), 0x2FC1_2FC1: ("zfs", false),
    0xCA45_1A4E: ("bcachefs", false), 0x4D44: ("vfat", false), 0x2011_BAB0: ("exfat", false),
    0x7366_746E: ("ntfs3", false), 0x8584_58F6: ("ramfs", false), 0xF15F: ("ecryptfs", false),
    0x794C_7630: ("overlay", true), 0x6969: ("nfs", true), 0x6573_5546: ("fuse", true),
    0x0102_1997: ("9p", true), 0xFF53_4D42: ("cifs", true), 0xFE53_4D42: ("smb2", true), 0x517B: ("smb", true),
    0x00C3_6400: ("ceph", true), 0x5346_414F: ("afs", true), 0x6B41_4653: ("afs", true),
    0x7375_7245: ("coda", true), 0x0BD0_0BD0: ("lustre", true), 0x786F_4256: ("vboxsf", true),
    0x4750_4653: ("gpfs", true), 0x0116_1970: ("gfs2", true), 0x7461_636F: ("ocfs2", true),
  ]
}
