import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Database proxy that can go silent, like a host that stopped without closing its connections. */
export interface SilentProxy {
  /** Database URL through the proxy. */
  url: string
  /** Stops forwarding without closing anything. New connections are accepted and stay silent too. */
  silence(): void
  /** Forwards new connections again. Earlier ones stay silent forever. */
  heal(): void
  close(): Promise<void>
}

/** Starts a proxy before a database. */
export async function silentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let silent = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    keep(near)
    if (silent) return
    const far = connect(Number(target.port), target.hostname)
    keep(far)
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silence: () => {
      silent = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    heal: () => {
      silent = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
