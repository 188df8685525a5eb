import StoreCore
import Testing

@testable import replicate

@Suite struct FileObserverTests {
  @Test(
    arguments: [(.eachChange, [1, 2, 3]), ([], [3]), ([.writing, .silence], [3])] as [(FileInterest, [Int])])
  func `changes that nobody has fetched yet give way to newer ones, unless each is wanted`(
    interest: FileInterest, kept: [Int]
  ) {
    var news = DocumentObserver.News()
    for number in 1...3 {
      let change = DocumentView.Change(value: .number(.init(number)), version: nil, cause: .edit)
      news.add(.change(change), interest)
    }
    #expect(news.changes.map(\.value) == kept.map { .number(.init($0)) })
    #expect(news.change?.value == 3)
  }
}
