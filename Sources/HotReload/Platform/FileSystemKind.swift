import CLinux
import Glibc

/// What kind of file system a path is on.
package struct FileSystemKind: Hashable, Sendable, CustomStringConvertible {
  /// The magic number of `statfs`.
  let magic: UInt32
  /// Its type in the table of mounts, where only that tells it from others of its magic number, as `fuse.sshfs`.
  package let type: String?

  /// The corresponding C function is `statfs`.
  package init(at path: String) throws(SystemError) {
    var status = statfs()
    try SystemError.check("statfs", path) { System.calls.statfs(path, &status) }
    let magic = UInt32(truncatingIfNeeded: status.f_type)
    // Where the table can't be read, it is just one of its magic number.
    let type = magic == Self.fuse ? try? MountTable.ofThisProcess().type(at: FileStatus(of: path).identity.device) : nil
    self.init(magic: magic, type: type)
  }

  package init(magic: UInt32, type: String? = nil) { (self.magic, self.type) = (magic, type) }

  /// Its usual name, as in `mount`; or its number.
  package var description: String { type ?? Self.names[magic]?.name ?? "0x" + String(magic, radix: 16) }

  /// Whether files can change without this machine's kernel being told, so that they have to be polled.
  var changesBehindOurBack: Bool { Self.names[magic].map { $0.reach != .thisMachine } ?? false }

  /// Whether other machines may have the same files, and locks need not reach them.
  package var locksMayStayHere: Bool {
    type.map(Self.servedTypes.contains) ?? (Self.names[magic]?.reach == .served)
  }

  /// The machines that may have the same files.
  private enum Reach {
    /// Only who asks this machine's kernel.
    case thisMachine
    /// Somebody whom locks reach, or who is on this machine.
    case beyond
    /// Other machines, and each may have its locks for itself.
    case served
  }

  private static let fuse: UInt32 = 0x6573_5546
  private static let names: [UInt32: (name: String, reach: Reach)] = [
    0xEF53: ("ext4", .thisMachine), 0x5846_5342: ("xfs", .thisMachine), 0x9123_683E: ("btrfs", .thisMachine),
    0x0102_1994: ("tmpfs", .thisMachine), 0xF2F5_2010: ("f2fs", .thisMachine), 0x2FC1_2FC1: ("zfs", .thisMachine),
    0xCA45_1A4E: ("bcachefs", .thisMachine), 0x4D44: ("vfat", .thisMachine), 0x2011_BAB0: ("exfat", .thisMachine),
    0x7366_746E: ("ntfs3", .thisMachine), 0x8584_58F6: ("ramfs", .thisMachine), 0xF15F: ("ecryptfs", .thisMachine),
    0x794C_7630: ("overlay", .beyond), fuse: ("fuse", .beyond), 0x00C3_6400: ("ceph", .beyond),
    0x5346_414F: ("afs", .beyond), 0x6B41_4653: ("afs", .beyond), 0x0BD0_0BD0: ("lustre", .beyond),
    0x4750_4653: ("gpfs", .beyond), 0x0116_1970: ("gfs2", .beyond), 0x7461_636F: ("ocfs2", .beyond),
    0x6969: ("nfs", .served), 0x0102_1997: ("9p", .served), 0xFF53_4D42: ("cifs", .served),
    0xFE53_4D42: ("smb2", .served), 0x517B: ("smb", .served), 0x7375_7245: ("coda", .served),
    0x786F_4256: ("vboxsf", .served),
  ]
  private static let servedTypes: Set<String> = [
    "fuse.sshfs", "fuse.rclone", "fuse.davfs", "fuse.curlftpfs", "fuse.s3fs", "fuse.gcsfuse", "fuse.gvfsd-fuse",
    "fuse.vmhgfs-fuse", "fuse.smbnetfs",
  ]
}
