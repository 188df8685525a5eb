import HotReload
import RemoteControl

/// The command from its arguments to its exit code.
struct Program {
  private let console: Console

  init(console: Console) { self.console = console }

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
      case .run(let request, let options):
        console.adopt(options)
        return try RequestRunner(request: request, options: options, console: console).run()
      }
      return .done
    } catch is BrokenPipe {
      return .done
    } catch {
      let failure = Failure(describing: error)
      console.tell(failure)
      return failure.code
    }
  }
}
