import Glibc
import ShareSimulation

@main
struct SimulateShares {
  static let usage = """
    usage: simulate-shares [--runs N] [--seed FIRST] [--jobs N] [--steps N] [--core [--inside [--losing-times | --bursts]]]
                           [--variants]

    Runs machines that share one state through a folder, each run from the next seed. Exits with 1 if a promise is broken.

      --runs N      how many runs (10000)
      --seed FIRST  the first seed (1)
      --jobs N      how many runs at a time (one for each processor)
      --steps N     how many steps a run takes in a row at most (120): with few there can be more runs. Not with --core
      --core        run devices that hear of each other's lines, with no files, engine or processes between
      --inside      their file lies in the folder as well
      --losing-times  the engine loses the times of such files, in half of the runs of each, or sets them a moment later
      --bursts      people save several times within a moment, and several things at once
      --variants    use each deliberately broken form in turn; exits with 1 if one is not caught. Not with --core alone
    """

  /// A run that broke a promise.
  typealias Failure = (seed: UInt64, breaches: [String])

  var runs = 10_000
  var seed: UInt64 = 1
  var jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  var steps = Int.max
  var isCore = false
  var isInside = false
  var hardship: FileHardship?
  var checksVariants = false

  static func main() async {
    guard let simulation = SimulateShares(CommandLine.arguments.dropFirst()) else {
      print(usage)
      exit(2)
    }
    exit(await simulation.checksVariants ? simulation.checkVariants() : simulation.hunt())
  }

  /// - Returns: nil where the arguments make no sense.
  init?(_ arguments: some Sequence<String>) {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--core": isCore = true
      case "--inside": isInside = true
      case "--losing-times": hardship = .lostTimes
      case "--bursts": hardship = .bursts
      case "--variants": checksVariants = true
      default:
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        guard take(argument, number) else { return nil }
      }
    }
    if isCore && (checksVariants && !isInside || steps != .max) || isInside && !isCore || hardship != nil && !isInside {
      return nil
    }
  }

  /// Takes an option; returns whether there is such a one.
  private mutating func take(_ option: String, _ number: Int) -> Bool {
    switch option {
    case "--runs": runs = number
    case "--seed": seed = UInt64(number)
    case "--jobs": jobs = number
    case "--steps": steps = number
    default: return false
    }
    return true
  }

  private func hunt() async -> Int32 {
    let start = ContinuousClock.now
    let found = await failures(upTo: 100)
    for failure in found { print("seed \(failure.seed): \(failure.breaches.joined(separator: ", "))") }
    let seconds = start.duration(to: .now).components.seconds
    print("\(runs) runs from seed \(seed) in \(seconds) s: \(found.count) broke a promise")
    return found.isEmpty ? 0 : 1
  }

  private func checkVariants() async -> Int32 {
    var missed = 0
    let variants: [Broken] = isInside ? FileVariant.allCases.map(Broken.file) : ShareVariant.allCases.map(Broken.share)
    for variant in variants {
      if let failure = await failures(variant, upTo: 1).first {
        print("\(variant): caught at seed \(failure.seed): \(failure.breaches.joined(separator: ", "))")
      } else {
        missed += 1
        print("\(variant): not caught in \(runs) runs")
      }
    }
    return missed == 0 ? 0 : 1
  }

  /// Runs worlds side by side; each worker ends after so many have broken a promise, and the others with it.
  private func failures(_ variant: Broken? = nil, upTo limit: Int) async -> [Failure] {
    let (runs, seed, jobs) = (runs, seed, jobs)
    return await withTaskGroup(of: [Failure].self) { group in
      for job in 0..<jobs {
        group.addTask {
          var found: [Failure] = []
          for number in stride(from: job, to: runs, by: jobs) where found.count < limit && !Task.isCancelled {
            let seed = seed &+ UInt64(number)
            let breaches = breaches(seed, variant)
            if !breaches.isEmpty { found.append((seed, breaches)) }
          }
          return found
        }
      }
      var found: [Failure] = []
      for await some in group {
        found += some
        if found.count >= limit { group.cancelAll() }
      }
      return found.sorted { $0.seed < $1.seed }
    }
  }

  /// What is broken.
  private enum Broken: CustomStringConvertible {
    case share(ShareVariant)
    case file(FileVariant)

    var description: String {
      switch self {
      case .share(let variant): variant.rawValue
      case .file(let variant): variant.rawValue
      }
    }
  }

  /// The promises that one run breaks.
  private func breaches(_ seed: UInt64, _ variant: Broken?) -> [String] {
    switch variant {
    case .file(let variant): CoreWorld.run(seed: seed, isInside: true, fileVariant: variant)
    case .share(let variant): ShareWorld.run(seed: seed, variant: variant, stepLimit: steps)
    case nil where isCore: CoreWorld.run(seed: seed, isInside: isInside, hardship: hardship)
    case nil: ShareWorld.run(seed: seed, stepLimit: steps)
    }
  }
}
