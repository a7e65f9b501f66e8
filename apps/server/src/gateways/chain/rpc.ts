/** Longest wait for a node. */
const TIMEOUT_MS = 10_000
/** Largest answer that is read: 200 full blocks have 13 MB of transfers. */
const MAX_BYTES = 64 * 1024 * 1024

/** A call of the node, as JSON-RPC has it. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** Why a node gave no answer: it is away, slow, or says something that is no JSON-RPC. Nothing is known then. */
export class NodeAway extends Error {}

/** The node answered and refused the call. */
export class NodeRefused extends Error {}

interface Answer {
  id: number
  result?: unknown
  error?: { code?: number; message?: string }
}

/**
 * A line to a node.
 * @param url of its JSON-RPC; a key in it never reaches a message
 * @returns asks several things at once; the answers come in the order of the calls
 */
export function connectNode(url: string, timeoutMs?: number): (calls: readonly RpcCall[]) => Promise<unknown[]> {
  const askEach = connectEach(url, timeoutMs)
  return async (calls) => {
    const answers = await askEach(calls)
    for (const answer of answers) if (answer instanceof NodeRefused) throw answer
    return answers
  }
}

/**
 * A line to a node where one refusal says nothing of the other calls.
 * @returns asks several things at once; in the order of the calls what was answered, or the refusal
 */
export function connectEach(url: string, timeoutMs = TIMEOUT_MS): (calls: readonly RpcCall[]) => Promise<unknown[]> {
  return async (calls) => {
    if (calls.length === 0) return []
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const answers = await ask(url, body, timeoutMs)
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(({ method }, id) => {
      const answer = byId.get(id)
      if (answer?.error !== undefined) return new NodeRefused(`${method}: ${String(answer.error.message).slice(0, 200)}`)
      if (answer?.result === undefined) throw new NodeAway(`${method}: no answer`)
      return answer.result
    })
  }
}

async function ask(url: string, body: string, timeoutMs: number): Promise<Answer[]> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answers: unknown = JSON.parse(await limitedText(reply))
    // A node that refuses a batch as a whole answers with one error.
    if (isAnswer(answers) && answers.error !== undefined) throw new NodeRefused(String(answers.error.message).slice(0, 200))
    if (!reply.ok || !Array.isArray(answers)) throw new NodeAway(`the node answered ${reply.status}`)
    return answers.filter(isAnswer)
  } catch (error) {
    if (error instanceof NodeAway || error instanceof NodeRefused) throw error
    throw new NodeAway('the node did not answer', { cause: error })
  }
}

const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null && ('id' in value || 'error' in value)

async function limitedText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new NodeRefused('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
