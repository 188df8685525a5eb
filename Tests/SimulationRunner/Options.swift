import Glibc
import Simulation

/// What the command line asks for.
struct Options {
  static let usage = """
    usage: simulate [--runs N] [--seed FIRST] [--jobs N] [--trace] [--shrink] [--variant NAME | --variants]

    Runs the protocol on a machine of values, each run from the next seed. Exits with 1 if a promise is broken.

      --runs N      how many runs (10000)
      --seed FIRST  the first seed (1)
      --jobs N      how many runs at a time (one for each processor)
      --trace       print what happens in the first run that fails
      --shrink      look for a simpler one that fails in the same way, and print that
      --variant X   use a deliberately broken form of the protocol, until it is caught
      --variants    use each of them in turn; exits with 1 if one is not caught
    """

  var runs = 10_000
  var seed: UInt64 = 1
  var jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  var variants: [Variant] = []
  var traces = false
  var shrinks = false

  /// - Returns: nil where the arguments make no sense.
  init?(_ arguments: some Sequence<String>) {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--runs":
        guard let runs = arguments.popFirst().flatMap({ Int($0) }), runs > 0 else { return nil }
        self.runs = runs
      case "--seed":
        guard let seed = arguments.popFirst().flatMap({ UInt64($0) }) else { return nil }
        self.seed = seed
      case "--jobs":
        guard let jobs = arguments.popFirst().flatMap({ Int($0) }), jobs > 0 else { return nil }
        self.jobs = jobs
      case "--variant":
        guard let variant = arguments.popFirst().flatMap(Variant.init(rawValue:)) else { return nil }
        variants = [variant]
      case "--variants": variants = Variant.allCases
      case "--trace": traces = true
      case "--shrink": shrinks = true
      default: return nil
      }
    }
  }
}
