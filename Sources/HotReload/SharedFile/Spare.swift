/// A spare that is about to be overwritten, and what it is: nobody else has it open, and nobody can open it.
struct Spare {
  let file: Displaced
  let size: Int
  let ownership: Ownership
}
