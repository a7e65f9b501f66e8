import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http'

export interface RoundRobin {
  /** Runs work while all new requests wait. Open responses continue. */
  holdDuring(work: () => Promise<void>): Promise<void>
  close(): void
}

/**
 * Starts a round-robin proxy over several API processes, so that each test uses all of them.
 * @param ports API process ports on the loopback address
 */
export async function startRoundRobin(ports: readonly number[], port: number): Promise<RoundRobin> {
  let turn = 0
  /** Requests that wait for the end of {@link RoundRobin.holdDuring}; undefined if none must wait. */
  let held: (() => void)[] | undefined
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const target = ports[turn % ports.length]
    turn += 1
    const onward = forward(
      { host: '127.0.0.1', port: target, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
  const server = createServer((incoming, outgoing) => {
    if (held === undefined) pass(incoming, outgoing)
    else held.push(() => pass(incoming, outgoing))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    holdDuring: async (work) => {
      const waiting: (() => void)[] = []
      held = waiting
      await work().finally(() => {
        held = undefined
        for (const send of waiting) send()
      })
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
