/// The order of merged keys or identities.
///
/// One side is the skeleton: the only one that reordered what survives of the base; the newer if both did; the older
/// if none did. What only the other side has goes after its predecessor there, and past the skeleton's own insertions
/// at that place, so that runs of insertions never interleave.
package enum MergeOrder {
  /// All items that survive, each once, in the merged order. `versions` has the items of each version in its order, as
  /// numbers below `count`. What `isClosed` stands right behind its predecessor, whatever the skeleton has inserted there.
  package static func merged(
    _ versions: MergeVersions<[Int]>, count: Int, survives: (Int) -> Bool, isClosed: (Int) -> Bool = { _ in false }
  ) -> [Int] {
    let places = versions.map { version in
      var places = [Int?](repeating: nil, count: count)
      for (place, item) in version.enumerated() { places[item] = place }
      return places
    }
    let surviving = versions.map { $0.filter(survives) }

    let newerIsSkeleton = !isAscending(surviving.newer.compactMap { places.base[$0] })
    let skeleton = newerIsSkeleton ? surviving.newer : surviving.older
    let other = newerIsSkeleton ? surviving.older : surviving.newer
    let otherPlaces = newerIsSkeleton ? places.older : places.newer

    // runEnd[n]: where the run of the skeleton's insertions that starts at n ends.
    var runEnd = Array(0...skeleton.count)
    for (index, item) in skeleton.enumerated().reversed()
    where places.base[item] == nil && otherPlaces[item] == nil {
      runEnd[index] = runEnd[index + 1]
    }
    var skeletonPlaces = [Int?](repeating: nil, count: count)
    for (index, item) in skeleton.enumerated() { skeletonPlaces[item] = index }
    var insertions: [Int: [Int]] = [:]
    var place = 0
    for item in other {
      if let index = skeletonPlaces[item] {
        place = index + 1
      } else {
        insertions[isClosed(item) ? place : runEnd[place], default: []].append(item)
      }
    }

    var order = insertions[0] ?? []
    for (index, item) in skeleton.enumerated() {
      order.append(item)
      order += insertions[index + 1] ?? []
    }
    return order
  }

  private static func isAscending(_ places: [Int]) -> Bool {
    zip(places, places.dropFirst()).allSatisfy(<)
  }
}
