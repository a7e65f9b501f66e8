/** Timeout of a node's answer, in ms. */
const TIMEOUT_MS = 10_000
/** Maximum answer size in bytes. 200 full blocks have 13 MB of transfers. */
const MAX_BYTES = 64 * 1024 * 1024

/** JSON-RPC call to a node. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** Thrown if a node is unreachable, slow, or sends invalid JSON-RPC. The effect of the call is then unknown. */
export class NodeUnavailable extends Error {}

/** Thrown if the node answered with an error. */
export class NodeError extends Error {
  /** Code of JSON-RPC, if the node named one. */
  code: number | undefined

  constructor(message: string, code?: number) {
    super(message)
    this.code = code
  }
}

/** Error codes of a call that failed in the contract: 3 from Geth and Anvil, -32015 from Nethermind. */
const EXECUTION_CODES = [3, -32_015]

/**
 * Returns true if the contract failed. Other errors are about the node, such as a limit of calls, and say nothing about the contract.
 */
export const isExecutionError = ({ code, message }: NodeError): boolean =>
  EXECUTION_CODES.some((one) => one === code) ||
  /revert|out of gas|invalid (?:opcode|jump)|stack (?:under|over)flow|EVM error/i.test(message)

interface Answer {
  id: number
  result?: unknown
  error?: { code?: number; message?: string } | null
}

/** Maximum calls per request. Nodes allow between 20 and 1,000; after a refusal the client halves its batch. */
const MAX_CALLS = 100

type RpcClient = (calls: readonly RpcCall[]) => Promise<unknown[]>

/**
 * Connects to a node, with failover to the next node of the list.
 * @param urls JSON-RPC addresses, separated by commas; error messages never contain a key from an address
 * @returns a function that sends several calls and returns the responses in order. It throws NodeUnavailable, NodeError
 */
export function connectNode(urls: string, timeoutMs?: number): RpcClient {
  const askEach = connectWithCallErrors(urls, timeoutMs)
  return async (calls) => {
    const answers = await askEach(calls)
    for (const answer of answers) if (answer instanceof NodeError) throw answer
    return answers
  }
}

/**
 * Works like `connectNode`, but reports refusals per call.
 * @returns a function that returns an answer or a refusal for each call, in order
 */
export function connectWithCallErrors(urls: string, timeoutMs = TIMEOUT_MS): RpcClient {
  const nodes = urlsOf(urls).map((url) => inBatches(url, timeoutMs))
  let current = 0
  let chainId: unknown
  return async (calls) => {
    for (let attempts = 1; ; attempts += 1) {
      const used = current
      try {
        const node = nodes[used]
        if (node === undefined) throw new NodeUnavailable('no node is configured')
        // Fails over only to a node of the same chain.
        if (attempts > 1 && chainId !== undefined && (await node([{ method: 'eth_chainId', params: [] }]))[0] !== chainId)
          throw new NodeUnavailable('the other node belongs to another chain')
        const answers = await node(calls)
        const index = calls.findIndex(({ method }) => method === 'eth_chainId')
        if (index >= 0) chainId = answers[index]
        return answers
      } catch (error) {
        if (!(error instanceof NodeUnavailable) || attempts >= nodes.length) throw error
        if (current === used) current = (used + 1) % nodes.length
      }
    }
  }
}

/**
 * Queries all nodes of a list in parallel.
 * @returns the responses of the reachable nodes; the function throws NodeUnavailable if no node responds
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

/** Splits requests into batches accepted by the node, and remembers that size. */
function inBatches(url: string, timeoutMs: number): RpcClient {
  let limit = MAX_CALLS
  return async (calls) => {
    const answers: unknown[] = []
    for (let next = 0; next < calls.length;) {
      const some = calls.slice(next, next + limit)
      try {
        answers.push(...(await askBatch(url, some, timeoutMs)))
        next += some.length
      } catch (error) {
        if (!(error instanceof BatchError) || some.length === 1) throw error
        limit = Math.ceil(some.length / 2)
      }
    }
    return answers
  }
}

/** Thrown if the node rejected the whole batch, for example for too many calls. */
class BatchError extends NodeError {}

async function askBatch(url: string, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const answers = await ask(url, body, timeoutMs)
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.map(({ method }, id) => {
    const answer = byId.get(id)
    if (answer?.error !== undefined && answer.error !== null)
      return new NodeError(`${method}: ${String(answer.error.message).slice(0, 200)}`, answer.error.code)
    if (answer?.result === undefined) throw new NodeUnavailable(`${method}: no answer`)
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
    if (reply.status === 413) throw new BatchError('the request is too large')
    const answers: unknown = JSON.parse(await limitedText(reply))
    // A node rejects a whole batch with a single error.
    if (isAnswer(answers) && answers.error !== undefined && answers.error !== null)
      throw new BatchError(String(answers.error.message).slice(0, 200))
    if (!reply.ok || !Array.isArray(answers)) throw new NodeUnavailable(`the node answered ${reply.status}`)
    return answers.filter(isAnswer)
  } catch (error) {
    if (error instanceof NodeUnavailable || error instanceof NodeError) throw error
    throw new NodeUnavailable('the node did not answer', { cause: error })
  }
}

const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null && ('id' in value || 'error' in value)

async function limitedText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new BatchError('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
