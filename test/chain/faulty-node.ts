import { type NodeCall, serveInProcess } from './in-process-nodes.ts'

/** Faults of a source, set by a test. */
export interface NodeFaults {
  /** Blocks that the source lags behind the chain. */
  lag: number
  /** Maximum calls per request; a larger batch gets one refusal. */
  batchLimit: number
  /** Calls that the source still answers; undefined without a limit. */
  callsLeft: number | undefined
  /** True if the call at the end of `callsLeft` reaches the chain and only its answer is lost. */
  losesAnswer: boolean
  /** Blocks at the head whose logs the source silently omits. */
  blind: number
  /** True if the source knows no finalized block. */
  hasNoFinalized: boolean
  /** Newest block of a source that stands still, and its time stamp in ms; undefined if the source follows the chain. */
  standsAt: { block: number; time: number } | undefined
  /** True if the source lists each log twice, in lists of logs and in receipts. */
  repeatsLogs: boolean
}

export const NO_FAULTS: Readonly<NodeFaults> = {
  lag: 0,
  batchLimit: 1_000,
  callsLeft: undefined,
  losesAnswer: false,
  blind: 0,
  hasNoFinalized: false,
  standsAt: undefined,
  repeatsLogs: false,
}

/** Returns a list of logs, or a receipt, with each log twice. Other answers stay. */
function repeated(result: unknown): unknown {
  const twice = (logs: readonly unknown[]) => logs.flatMap((log) => [log, log])
  if (Array.isArray(result)) return twice(result)
  const isReceipt = typeof result === 'object' && result !== null && 'logs' in result && Array.isArray(result.logs)
  return isReceipt ? { ...result, logs: twice(result.logs as unknown[]) } : result
}

/** Proxy in front of a real node. It lags, omits, refuses and loses answers as its faults say. */
export interface FaultyNode {
  url: string
  faults: NodeFaults
  close(): void
}

const quantity = (value: number): string => `0x${value.toString(16)}`

/** Starts a proxy of a node without faults. */
export function faultyNode(chainUrl: string): FaultyNode {
  const forward = async (calls: readonly NodeCall[]): Promise<Map<number, Record<string, unknown>>> => {
    const answer = await fetch(chainUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    const answers = (await answer.json()) as ({ id: number } & Record<string, unknown>)[]
    return new Map(answers.map((one) => [one.id, one]))
  }
  const headOf = async (): Promise<number> => {
    const answers = await forward([{ id: 0, method: 'eth_blockNumber', params: [] }].map((call) => ({ jsonrpc: '2.0', ...call })))
    const { lag, standsAt } = node.faults
    return Math.max(0, Math.min(Number(answers.get(0)?.['result']) - lag, standsAt?.block ?? Number.POSITIVE_INFINITY))
  }

  async function answersTo(calls: readonly NodeCall[]): Promise<unknown[]> {
    const { lag, blind, hasNoFinalized, standsAt, repeatsLogs } = node.faults
    if (lag === 0 && blind === 0 && !hasNoFinalized && standsAt === undefined && !repeatsLogs) return [...(await forward(calls)).values()]
    const head = await headOf()
    const answers = await forward(calls.map((call) => seenFrom(head, blind, call)))
    return calls.map((call) => {
      const answer = answers.get(call.id) ?? { id: call.id }
      if (hasNoFinalized && call.params[0] === 'finalized') return { id: call.id, error: { code: -32_602, message: 'unknown block tag' } }
      if (repeatsLogs && 'result' in answer) return { ...answer, result: repeated(answer['result']) }
      return { ...answer, ...('result' in answer ? { result: knownAt(head, call, answer['result']) } : {}) }
    })
  }

  const { url, close } = serveInProcess(async (calls) => {
    const { faults } = node
    if (faults.callsLeft !== undefined) {
      faults.callsLeft -= calls.length
      if (faults.callsLeft <= 0) {
        if (faults.losesAnswer) await forward(calls)
        faults.losesAnswer = false
        throw new Error('the node closed the connection')
      }
    }
    if (calls.length > faults.batchLimit) return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch too large' } }
    return answersTo(calls)
  })
  const node: FaultyNode = { url, faults: { ...NO_FAULTS }, close }
  return node
}

/** Rewrites a call so that the chain answers as of an older head. */
function seenFrom(head: number, blind: number, { params, ...call }: NodeCall): NodeCall {
  const at = (tag: unknown) => (tag === 'latest' || tag === 'pending' ? quantity(head) : tag)
  switch (call.method) {
    case 'eth_getBlockByNumber': {
      // anvil finalizes two blocks below its head.
      const tag = params[0] === 'finalized' ? quantity(Math.max(0, head - 2)) : at(params[0])
      return { ...call, params: [tag, ...params.slice(1)] }
    }
    case 'eth_getTransactionCount':
    case 'eth_getBalance':
    case 'eth_call':
      return { ...call, params: [params[0], at(params[1])] }
    case 'eth_getLogs': {
      const [filter] = params as [{ toBlock?: string; fromBlock?: string }]
      const last = Math.min(head - blind, filter.toBlock === undefined || filter.toBlock === 'latest' ? head : Number(filter.toBlock))
      if (last >= Number(filter.fromBlock ?? 0)) return { ...call, params: [{ ...filter, toBlock: quantity(last) }] }
      // No block is left: an address that no log has.
      return { ...call, params: [{ ...filter, toBlock: filter.fromBlock, address: `0x${'00'.repeat(19)}01` }] }
    }
    default:
      return { ...call, params }
  }
}

/** Hides what lies above the head. */
function knownAt(head: number, { method }: NodeCall, result: unknown): unknown {
  if (method === 'eth_blockNumber') return quantity(head)
  if (typeof result !== 'object' || result === null) return result
  const found = result as { number?: string; blockNumber?: string }
  if (method === 'eth_getBlockByNumber') return Number(found.number) > head ? null : result
  if (method === 'eth_getTransactionReceipt') return Number(found.blockNumber) > head ? null : result
  return result
}
