/// The contents of a file that a device wrote, as far as they are whole.
///
/// A file of lines `NAME BODY`, each ended by a line feed; see ``LineID``. The first one is a ``JournalHead``. Whatever a file
/// says, what it has of lines of others are these lines, or nothing: a name belongs to one text after one other line.
package struct Journal: Sendable {
  /// Whose journal it is; `nil` if that can't be read.
  package private(set) var head: JournalHead?
  /// The lines that count, in order.
  package private(set) var lines: [JournalLine] = []
  /// Lines of others that these carry, in order.
  package private(set) var carried: [JournalLine] = []
  /// The first line that doesn't count, where there is one. None after it does.
  package private(set) var damage: JournalDamage?
  /// Lines that are said to be carried and aren't.
  package private(set) var carriedDamage: [JournalDamage] = []
  /// How many bytes the lines have that count.
  package private(set) var end = 0

  /// The name of the last line.
  package var last: LineID? { lines.last?.id }

  /// Reads a file. A last line without a line feed is still being written, or was torn: it isn't there yet.
  ///
  /// - Parameters:
  ///   - file: The bytes.
  ///   - name: What damage calls the file.
  ///   - share: The share that it must belong to; any, if `nil`.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(_ file: [UInt8], name: String, share: String? = nil) {
    self.init(
      file, name: name, share: share, lineLimit: JournalLimits.lineCount, sizeLimit: JournalLimits.fileSize)
  }

  init(_ file: [UInt8], name: String, share: String?, lineLimit: Int, sizeLimit: Int) {
    while let lineEnd = file[end...].firstIndex(of: UInt8(ascii: "\n")) {
      do throws(LineFault) {
        guard lines.count < lineLimit else { throw LineFault.tooManyLines }
        guard lineEnd < sizeLimit else { throw LineFault.fileTooLong }
        try read(file[end..<lineEnd], share: share)
      } catch {
        damage = fault(error, line: lines.count + 1, name)
        return
      }
      end = lineEnd + 1
      takeCarried(share: share, name)
    }
  }

  private mutating func read(_ text: ArraySlice<UInt8>, share: String?) throws(LineFault) {
    guard text.count <= JournalLimits.lineLength else { throw .tooLong }
    let space = text.startIndex + LineID.length
    guard space < text.endIndex, text[space] == UInt8(ascii: " "), let id = LineID(text[..<space]) else { throw .form }
    let line = try JournalLine(body: Array(text[(space + 1)...]), after: last, id: id, share: share)
    if case .head(let head) = line.contents { self.head = head }
    lines.append(line)
  }

  /// Reads what the last line carries, and what that carries. Each is in the text of the other, so this ends.
  private mutating func takeCarried(share: String?, _ name: String) {
    var carrier = lines.last
    while case .carried(let text)? = carrier?.contents {
      do throws(LineFault) {
        let line = try JournalLine(body: text.body, after: text.previous, id: text.id, share: share)
        carried.append(line)
        carrier = line
      } catch {
        carriedDamage.append(fault(error, line: lines.count, isCarried: true, name))
        return
      }
    }
  }

  private func fault(_ fault: LineFault, line: Int, isCarried: Bool = false, _ name: String) -> JournalDamage {
    JournalDamage(file: name, device: head?.writer.device, line: line, fault: fault, isCarried: isCarried)
  }
}
