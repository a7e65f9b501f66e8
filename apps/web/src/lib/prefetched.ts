/** Responses that the page requested before its code loaded (index.html, spa.html). */
interface PrefetchedAnswers {
  /** Session token for these requests. */
  token: string
  /** Keyed by URL; each is used once. */
  answers: Record<string, Promise<Response>>
}

declare global {
  var answersAhead: PrefetchedAnswers | undefined
}

/** Takes the prefetched response to a call. Undefined if the page sent none, or for another session. */
export function takePrefetched(address: string, token: string | null): Promise<Response> | undefined {
  if (globalThis.answersAhead === undefined || globalThis.answersAhead.token !== token) return undefined
  const { answers } = globalThis.answersAhead
  const answer = answers[address]
  delete answers[address]
  return answer
}
