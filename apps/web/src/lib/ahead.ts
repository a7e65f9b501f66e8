/** What the page itself asked for before any code was there (index.html, spa.html). */
interface AnswersAhead {
  /** The session that asked. */
  token: string
  /** By address; each is taken once. */
  answers: Record<string, Promise<Response>>
}

declare global {
  var answersAhead: AnswersAhead | undefined
}

/** Takes the answer to a call that the page has already sent; undefined when it has not, or for another session. */
export function takeAhead(address: string, token: string | null): Promise<Response> | undefined {
  if (globalThis.answersAhead === undefined || globalThis.answersAhead.token !== token) return undefined
  const { answers } = globalThis.answersAhead
  const answer = answers[address]
  delete answers[address]
  return answer
}
