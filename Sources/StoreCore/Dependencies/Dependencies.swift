/// What an app's parts use without being handed it: services, clocks, stores. A value, like an environment.
///
///     withDependencies { $0.api = FakeAPI() } operation: {
///       let store = Store(App(), reducer: app)  // its effects use the fake
///     }
///
/// `Dependencies()` is a container of its own, which has nothing in common with any other: what is made by default there
/// is made anew. Setting a value, or ``withDependencies(from:_:operation:)``, opens a scope in the container. A scope uses
/// the defaults that were made around it, but for those that were made from something the scope has set: these it makes
/// for itself, and lets go of when it ends. A store counts as made from everything. So a test that sets a fake never gets
/// a store that another test has used, and a scope that is to use the store around it sets it: `$0.feed = feed`.
///
/// Safe to read from any thread; a default is made once, while others who need it wait.
public struct Dependencies: Sendable {
  /// Those of the task or thread that asks: what the innermost ``withDependencies(from:_:operation:)`` around it has set,
  /// or, outside of all, the container of the process.
  @TaskLocal public static var current = Dependencies()

  var layer: DependencyLayer
  /// Keeps the defaults that were made: who holds a scope holds them.
  var defaults: [DependencyDefaults]
  /// Notes what a default is made from, while it is made.
  var recorder: DependencyRecorder?

  /// Makes a container in which nothing is set, and no default is made.
  public init() {
    let own = DependencyDefaults()
    layer = DependencyLayer(defaults: own)
    defaults = [own]
  }

  /// The value for a key: what was set last, or the default.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get { value(for: key) }
    set { set(newValue, for: ObjectIdentifier(key)) }
  }

  /// What is set here, in a container of its own: defaults are made anew.
  ///
  ///     let dependencies = Dependencies.current.isolated()
  ///
  /// For a test that is to find what others have set around it, but nothing that another test has used.
  public func isolated() -> Dependencies {
    var isolated = Dependencies()
    for (key, value) in layer.settings { isolated.set(value, for: key) }
    return isolated
  }

  /// The current ones, to be kept by somebody who may himself be one of the defaults in them.
  ///
  /// He doesn't hold the scope, which may hold him. When it has ended, he makes defaults of his own.
  @usableFromInline
  static func captured() -> Dependencies {
    let current = current
    current.recorder?.note(DependencySources(isEverything: true))
    let own = DependencyDefaults()
    var captured = current
    captured.layer = DependencyLayer(around: current.layer, defaults: own)
    captured.defaults = [own]
    captured.recorder = nil
    return captured
  }

  private mutating func set(_ value: any Sendable, for key: ObjectIdentifier) {
    let own = DependencyDefaults()
    layer = DependencyLayer(around: layer, key: key, value: value, defaults: own)
    defaults.append(own)
  }

  private func value<Key: DependencyKey>(for key: Key.Type) -> Key.Value {
    let id = ObjectIdentifier(key)
    recorder?.note(DependencySources(keys: [id]))
    if let value = layer.value(of: id) { return value as! Key.Value }
    let made = layer.made(id) ?? make(key)
    recorder?.note(made.sources)
    return made.value as! Key.Value
  }

  private func make<Key: DependencyKey>(_ key: Key.Type) -> DependencyDefaults.Made {
    let id = ObjectIdentifier(key)
    if let circle = recorder?.circle(to: id) {
      fatalError("the default of \(key) needs itself: \((circle + ["\(key)"]).joined(separator: ", which needs "))")
    }
    return layer.makingOnce(id) {
      let recorder = DependencyRecorder(id, name: "\(key)", inside: recorder)
      var dependencies = self
      dependencies.recorder = recorder
      let value = Dependencies.$current.withValue(dependencies) { key.makeDefault(in: dependencies) }
      return DependencyDefaults.Made(value: value, sources: recorder.sources)
    }
  }
}
