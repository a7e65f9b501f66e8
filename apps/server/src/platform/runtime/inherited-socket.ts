/** Number of the first socket from a service manager (sd_listen_fds). */
const FIRST_SOCKET = 3

/**
 * Returns the listen address: the service manager's socket (`deploy/tizara-api.socket`), where calls wait during a restart,
 * otherwise the process's own address.
 */
export function listenAddress(own: { host: string; port: number }, env: NodeJS.ProcessEnv = process.env) {
  const inherits = env['LISTEN_PID'] === String(process.pid) && Number(env['LISTEN_FDS']) >= 1
  // Connections wait in the socket's queue until a process accepts them.
  return { ...own, backlog: 4_096, ...(inherits ? { fd: FIRST_SOCKET } : {}) }
}
