/** Number of the first socket that a service manager hands over (sd_listen_fds). */
const FIRST = 3

/**
 * Where a process listens: on the socket that its service manager holds for it (`deploy/tizara-api.socket`), where calls wait
 * while one process takes the place of another; else on its own address.
 */
export function listenAddress(own: { host: string; port: number }, env: NodeJS.ProcessEnv = process.env) {
  const inherits = env['LISTEN_PID'] === String(process.pid) && Number(env['LISTEN_FDS']) >= 1
  // Connections wait in the socket's queue until a process accepts them.
  return { ...own, backlog: 4_096, ...(inherits ? { fd: FIRST } : {}) }
}
