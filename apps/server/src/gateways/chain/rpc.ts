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
  error?: { code?: number; message?: string } | null
}

/** Calls of one request. Nodes allow between 20 and 1,000; one that allows fewer than this refuses, and gets half as many. */
const MAX_CALLS = 100

type Ask = (calls: readonly RpcCall[]) => Promise<unknown[]>

/**
 * Connects to a node, or to the first of several that answers.
 * @param urls of its JSON-RPC, with commas; a key in one never reaches a message
 * @returns asks several things at once; the answers come in the order of the calls. Throws NodeAway, NodeRefused
 */
export function connectNode(urls: string, timeoutMs?: number): Ask {
  const askEach = connectEach(urls, timeoutMs)
  return async (calls) => {
    const answers = await askEach(calls)
    for (const answer of answers) if (answer instanceof NodeRefused) throw answer
    return answers
  }
}

/**
 * As `connectNode`, where one refusal says nothing of the other calls.
 * @returns asks several things at once; in the order of the calls the answer, or the refusal
 */
export function connectEach(urls: string, timeoutMs = TIMEOUT_MS): Ask {
  const nodes = urlsOf(urls).map((url) => inBatches(url, timeoutMs))
  let current = 0
  let chainId: unknown
  return async (calls) => {
    for (let tries = 1; ; tries += 1) {
      const used = current
      try {
        const node = nodes[used]
        if (node === undefined) throw new NodeAway('no node is configured')
        // Another node goes on only where it is one of the same chain.
        if (tries > 1 && chainId !== undefined && (await node([{ method: 'eth_chainId', params: [] }]))[0] !== chainId)
          throw new NodeAway('the other node is one of another chain')
        const answers = await node(calls)
        const place = calls.findIndex(({ method }) => method === 'eth_chainId')
        if (place >= 0) chainId = answers[place]
        return answers
      } catch (error) {
        if (!(error instanceof NodeAway) || tries >= nodes.length) throw error
        if (current === used) current = (used + 1) % nodes.length
      }
    }
  }
}

/**
 * Asks every node of a list at once.
 * @returns the answers of those that answered. Throws NodeAway when none did
 */
export function connectAll(urls: string, timeoutMs = TIMEOUT_MS): (calls: readonly RpcCall[]) => Promise<unknown[][]> {
  const nodes = urlsOf(urls).map((url) => inBatches(url, timeoutMs))
  return async (calls) => {
    const settled = await Promise.allSettled(nodes.map((node) => node(calls)))
    const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [failed] = settled
    if (answers.length === 0 && failed?.status === 'rejected') throw failed.reason
    return answers
  }
}

const urlsOf = (urls: string): string[] => urls.split(',').flatMap((url) => (url.trim() === '' ? [] : [url.trim()]))

/** Cuts requests to what the node takes, and remembers how much that is. */
function inBatches(url: string, timeoutMs: number): Ask {
  let limit = MAX_CALLS
  return async (calls) => {
    const answers: unknown[] = []
    for (let next = 0; next < calls.length;) {
      const some = calls.slice(next, next + limit)
      try {
        answers.push(...(await askBatch(url, some, timeoutMs)))
        next += some.length
      } catch (error) {
        if (!(error instanceof BatchRefused) || some.length === 1) throw error
        limit = Math.ceil(some.length / 2)
      }
    }
    return answers
  }
}

/** The node refused the whole request, as where it has too many calls. */
class BatchRefused extends NodeRefused {}

async function askBatch(url: string, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const answers = await ask(url, body, timeoutMs)
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.map(({ method }, id) => {
    const answer = byId.get(id)
    if (answer?.error !== undefined && answer.error !== null)
      return new NodeRefused(`${method}: ${String(answer.error.message).slice(0, 200)}`)
    if (answer?.result === undefined) throw new NodeAway(`${method}: no answer`)
    return answer.result
  })
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
    if (reply.status === 413) throw new BatchRefused('the request is too large')
    const answers: unknown = JSON.parse(await limitedText(reply))
    // A node that refuses a batch as a whole answers with one error.
    if (isAnswer(answers) && answers.error !== undefined && answers.error !== null)
      throw new BatchRefused(String(answers.error.message).slice(0, 200))
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
    if (size > MAX_BYTES) throw new BatchRefused('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
