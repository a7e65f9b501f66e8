import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a database that a test can make silent, as a host that stopped without closing its lines. */
export interface SilentProxy {
  /** The database's URL, by way of the proxy. */
  url: string
  /** From now on nothing is forwarded, and nothing is closed; new lines are taken and stay silent too. */
  silence(): void
  /** New lines reach the database again; those from before stay silent for ever. */
  heal(): void
  close(): Promise<void>
}

/** Puts a proxy before a database. */
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
