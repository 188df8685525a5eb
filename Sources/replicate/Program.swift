import HotReload
import RemoteControl
import StateJSON

/// The command from its arguments to its exit code.
struct Program {
  private let console = Console()

  /// Does what the words after the command's own name ask for.
  func run(_ words: () throws -> [String]) -> ExitCode {
    var console = console
    do {
      let arguments = try words()
      guard !arguments.isEmpty else {
        console.tell(Help.short)
        return .usage
      }
      let externalEdits = Environment[CommandTable.externalEditsVariable]
      switch try CommandLineParser.parse(arguments, externalEdits: externalEdits) {
      case .help(let verb): try console.print(Help.text(for: verb))
      case .version: try console.print("\(CommandTable.name) \(CommandTable.version)\n")
      case .generate(.man): try console.print(ManPage.text)
      case .generate(.bash): try console.print(BashCompletion.text)
      case .generate(.zsh): try console.print(ZshCompletion.text)
      case .generate(.fish): try console.print(FishCompletion.text)
      case .generate(.pointers), .generate(.versions): preconditionFailure("the parser asks for a file")
      case .complete(let file, let pointer): try complete(file, pointer)
      case .run(let request, let options):
        console = Console(options)
        do {
          return try RequestRunner(request: request, options: options, console: console).run()
        } catch let error where !(error is BrokenPipeError) {
          throw Failure(describing: error).hinting(for: request).saying(options.dotted)
        }
      }
      return .done
    } catch is BrokenPipeError {
      return .done
    } catch {
      let failure = Failure(describing: error)
      console.tell(failure)
      return failure.code
    }
  }

  /// Words for a shell to complete with, one a line; none where the file can't be read.
  private func complete(_ file: String, _ pointer: String?) throws {
    let words: [String]
    if let pointer {
      guard let shared = try? SharedFile(path: file, instance: InstanceName.random()),
        case .contents(let contents)? = try? shared.read(), let document = try? JSONDocument(parsing: contents.bytes)
      else { return }
      words = TreeDocument(document).completions(of: pointer)
    } else {
      words = ((try? LogVersions(file: file).moments()) ?? []).map { String($0.version.prefix(8)) }
    }
    for word in words { try console.print(word.escapedForTerminalLine + "\n") }
  }
}
