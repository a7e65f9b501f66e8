import { type NodeCall, serveInProcess } from './in-process-nodes.ts'

/** Node proxy inside this process that a test can make fail or lie. */
export interface TamperingNode {
  url: string
  /** Methods in call order. */
  asked: string[]
  /** Overrides a response if it returns a value. A thrown error becomes the refusal's text; null closes the connection. */
  tamper: ((call: NodeCall, answer: () => Promise<unknown>) => unknown) | undefined | null
  close(): void
}

export function tamperingNode(chainUrl: string): TamperingNode {
  const node: TamperingNode = { url: '', asked: [], tamper: undefined, close: () => undefined }
  const forward = async (call: NodeCall): Promise<unknown> => {
    const answer = await fetch(chainUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(error.message)
    return result
  }
  const answerTo = async (call: NodeCall) => {
    node.asked.push(call.method)
    try {
      const changed = await node.tamper?.(call, () => forward(call))
      return { jsonrpc: '2.0', id: call.id, result: changed === undefined ? await forward(call) : changed }
    } catch (error) {
      return { jsonrpc: '2.0', id: call.id, error: { code: -32_000, message: error instanceof Error ? error.message : String(error) } }
    }
  }
  const served = serveInProcess((calls) => {
    if (node.tamper === null) throw new TypeError('the node closed the connection')
    return Promise.all(calls.map(answerTo))
  })
  node.url = served.url
  node.close = served.close
  return node
}
