/// The contents of a file that a device wrote, or of the end of one, as far as they are whole.
///
/// A file of lines `NAME BODY`, each ended by a line feed; see ``LineID``. The first one is a ``JournalHead``. Whatever a file
/// says, what it has of lines of others are these lines, or nothing: a name belongs to one text after one other line.
package struct Journal: Sendable {
  /// The lines that count, in order.
  package private(set) var lines: [JournalLine] = []
  /// Lines of others that these carry, in order.
  package private(set) var carried: [JournalLine] = []
  /// The first line that doesn't count, where there is one. None after it does.
  package private(set) var damage: JournalError?
  /// Lines that are said to be carried and aren't.
  package private(set) var carriedDamage: [JournalError] = []
  /// Where the next line begins.
  package private(set) var end: Position

  /// Whose journal it is; `nil` if that can't be read.
  package var head: JournalHead? { end.head }
  /// The name of the last line that counts, also of those before what was read.
  package var last: LineID? { end.last }

  /// A place between two lines of a file, where reading can go on.
  package struct Position: Sendable {
    /// How many bytes are before it.
    package fileprivate(set) var offset = 0
    /// How many lines.
    package fileprivate(set) var lineCount = 0
    /// The name of the line before it; `nil` at the start.
    package fileprivate(set) var last: LineID?
    /// Whose journal it is, if that has been read.
    package fileprivate(set) var head: JournalHead?

    /// The start of a file.
    package static let start = Position()

    /// The place behind lines that were added here.
    package func after(_ lines: [JournalLine]) -> Position { lines.reduce(into: self) { $0.move(past: $1) } }

    fileprivate mutating func move(past line: JournalLine) {
      offset += LineID.length + line.body.count + 2
      lineCount += 1
      last = line.id
      if case .head(let head) = line.contents { self.head = head }
    }
  }

  /// Reads a file, or what it has from a place on. A last line without a line feed is still being written, or was torn: it isn't there yet.
  ///
  /// - Parameters:
  ///   - file: The bytes, from the place on.
  ///   - start: The place.
  ///   - name: What damage calls the file.
  ///   - lineLimit: How many lines it may have.
  ///   - sizeLimit: How many bytes of it are read.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(
    _ file: [UInt8], from start: Position = .start, name: String, lineLimit: Int = JournalLimits.lineCount,
    sizeLimit: Int = JournalLimits.fileSize
  ) {
    end = start
    var next = 0
    while let lineEnd = file[next...].firstIndex(of: UInt8(ascii: "\n")) {
      do throws(JournalLineError) {
        guard end.lineCount < lineLimit else { throw JournalLineError.tooManyLines }
        guard start.offset + lineEnd < sizeLimit else { throw JournalLineError.fileTooLong }
        try read(file[next..<lineEnd])
      } catch {
        damage = fault(error, line: end.lineCount + 1, name)
        return
      }
      next = lineEnd + 1
      takeCarried(name)
    }
  }

  private mutating func read(_ text: ArraySlice<UInt8>) throws(JournalLineError) {
    guard text.count <= JournalLimits.lineLength else { throw .tooLong }
    let space = text.startIndex + LineID.length
    guard space < text.endIndex, text[space] == UInt8(ascii: " "), let id = LineID(text[..<space]) else { throw .form }
    let line = try JournalLine(body: Array(text[(space + 1)...]), after: last, id: id)
    lines.append(line)
    end.move(past: line)
  }

  /// Reads what the last line carries, and what that carries. Each is in the text of the other, so this ends.
  private mutating func takeCarried(_ name: String) {
    var carrier = lines.last
    while case .carried(let text)? = carrier?.contents {
      do throws(JournalLineError) {
        let line = try JournalLine(body: text.body, after: text.previous, id: text.id)
        carried.append(line)
        carrier = line
      } catch {
        carriedDamage.append(fault(error, line: end.lineCount, isCarried: true, name))
        return
      }
    }
  }

  private func fault(_ fault: JournalLineError, line: Int, isCarried: Bool = false, _ name: String) -> JournalError {
    JournalError(file: name, device: head?.writer.device, line: line, fault: fault, isCarried: isCarried)
  }
}
