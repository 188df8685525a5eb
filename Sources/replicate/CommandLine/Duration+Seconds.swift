extension Duration {
  /// Seconds in plain decimal notation, `10` or `0.5`; at most a thousand million.
  init?(seconds text: some StringProtocol) {
    guard let seconds = Double(decimal: text), seconds <= 1e9 else { return nil }
    self = .seconds(seconds)
  }
}

extension Double {
  /// A number in plain decimal notation, `10` or `0.5`, without a sign.
  init?(decimal text: some StringProtocol) {
    guard text.first?.isNumber == true, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
      let number = Double(text), number.isFinite
    else { return nil }
    self = number
  }
}
