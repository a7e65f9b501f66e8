/** A mistake that changes nothing that anybody could see, and why: it is not drawn. A test says when its line has gone. */
interface Equivalent {
  file: string
  before: string
  after: string
  why: string
}

export const equivalents: readonly Equivalent[] = []
