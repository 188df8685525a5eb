import HotReload

extension World {
  /// Everybody takes their places.
  func populate() {
    if plan.startsWithFile, let inode = try? disk.make(.path) {
      disk.write(judge.initial.bytes[...], at: 0, to: inode, now: now)
      inode.save = judge.initial
    }
    for index in 0..<plan.instances {
      let slot = Slot(index)
      slots.append(slot)
      join(slot)
      let user = Process("user \(index)", in: self)
      spawn(user) { try await self.use(slot, as: user) }
    }
    editorsAtWork = plan.editors
    for index in 0..<plan.editors {
      let editor = Editor(index, world: self)
      spawn(editor.process) { try await editor.run() }
    }
    let director = Process("director", in: self)
    spawn(director) { try await self.direct(director) }
  }

  private func join(_ slot: Slot) {
    let name = String("abcdefgh"[slot.index]) + (slot.generation == 0 ? "" : "\(slot.generation)")
    slot.generation += 1
    let instance = Instance(name: name, world: self)
    slot.instance = instance
    spawn(instance.process) { try await instance.run() }
  }

  /// Submits actions; where the instance was killed, starts another.
  private func use(_ slot: Slot, as user: Process) async throws {
    let pace = random.pick([100_000, 2_000_000, 50_000_000])
    for number in 0..<plan.actions {
      try await user.sleep(UInt64(random.below(pace)))
      revive(slot)
      slot.instance?.submit(.init(counter: "c\(slot.index)", token: "t\(slot.index).\(number)"))
    }
    slot.isDone = true
  }

  private func revive(_ slot: Slot) {
    if slot.instance?.process.isAlive != true { join(slot) }
  }

  /// Waits until everybody has done their part, then until everything has come to rest.
  private func direct(_ director: Process) async throws {
    while editorsAtWork > 0 || slots.contains(where: { !$0.isDone }) { try await director.sleep(50_000_000) }
    try await director.sleep(UInt64(random.below(100_000_000)))
    isEnding = true
    for slot in slots { revive(slot) }
    lastChange = now
    let limit = now + 120_000_000_000
    let quiet: UInt64 =
      plan.kills > 0 || plan.faults || plan.lossRate > 0 && plan.grain > 1 ? 11_500_000_000 : 2_500_000_000
    while now - lastChange < quiet || slots.contains(where: { $0.instance?.isAtRest != true }) {
      if now > limit {
        let restless = slots.compactMap(\.instance).filter { !$0.isAtRest }
        let reasons = restless.map { "\($0.name) (\($0.replica.obstacle?.description ?? "no obstacle"))" }
        let text = disk[.path]?.bytes.text ?? "nothing"
        judge.blame("promise 4: \(reasons.joined(separator: ", ")) come not to rest; the file has \(text)")
        break
      }
      try await director.sleep(500_000_000)
    }
    judge.conclude(file: disk[.path], views: slots.compactMap(\.instance).map { ($0.name, $0.shown) })
    for slot in slots {
      guard let instance = slot.instance else { continue }
      instance.leaveSoon()
      while !instance.hasLeft && instance.process.continuation != nil { try await director.sleep(10_000_000) }
    }
    for case .own(let name) in disk.names.keys where !unremovable.contains(.own(name)) {
      judge.blame("promise 5: \(name) is left beside the file")
    }
  }
}

extension String {
  fileprivate subscript(_ offset: Int) -> Character { self[index(startIndex, offsetBy: offset)] }
}
