import { createServer, request as forward, type Server } from 'node:http'

/**
 * Starts a round-robin proxy over several API processes, so that each test uses all of them.
 * @param ports API process ports on the loopback address
 */
export async function startRoundRobin(ports: readonly number[], port: number): Promise<Server> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
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
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}
