import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** Node proxy that a test can make fail or lie. */
export interface TamperingNode {
  url: string
  /** Methods in call order. */
  asked: string[]
  /** Overrides a response if it returns a value. A thrown error becomes the refusal's text; null closes the connection. */
  tamper: ((call: Call, answer: () => Promise<unknown>) => unknown) | undefined | null
  close(): Promise<void>
}

export async function tamperingNode(chainUrl: string): Promise<TamperingNode> {
  const node: TamperingNode = { url: '', asked: [], tamper: undefined, close: () => new Promise((done) => void server.close(() => done())) }
  const forward = async (call: Call): Promise<unknown> => {
    const answer = await fetch(chainUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(error.message)
    return result
  }
  const answerTo = async (call: Call) => {
    node.asked.push(call.method)
    try {
      const changed = await node.tamper?.(call, () => forward(call))
      return { jsonrpc: '2.0', id: call.id, result: changed === undefined ? await forward(call) : changed }
    } catch (error) {
      return { jsonrpc: '2.0', id: call.id, error: { code: -32_000, message: error instanceof Error ? error.message : String(error) } }
    }
  }
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (node.tamper === null) return void request.socket.destroy()
      const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call[]
      void Promise.all(calls.map(answerTo)).then((answers) =>
        reply.setHeader('content-type', 'application/json').end(JSON.stringify(answers)),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}
