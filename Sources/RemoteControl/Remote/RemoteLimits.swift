/// How much may wait for a client, or for what it has asked for.
package struct RemoteLimits: Sendable {
  /// How many bytes of reported actions may wait to be read, 16 MiB. Those that come then are counted, and not told.
  var unreadActions = 1 << 24
  /// How many bytes of requests may wait for commits, 64 MiB. No more are read until one is done.
  var uncommittedRequests = 1 << 26

  package init() {}
}
