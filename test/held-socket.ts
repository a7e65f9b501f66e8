import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/** Node's socket handle below `net`; nothing here accepts its connections. */
interface Handle {
  bind(address: string, port: number): number
  fd: number
  close(): void
}

/** Listening socket kept open across successive processes, as systemd does for a socket unit. */
export interface HeldSocket {
  /** Starts a program with the socket as descriptor 3, announced by LISTEN_FDS. */
  start(
    command: readonly string[],
    options: Pick<SpawnOptions, 'env' | 'cwd' | 'uid' | 'gid'> & { output?: 'ignore' | 'pipe' },
  ): ChildProcess
  close(): void
}

export function holdSocket(port: number): HeldSocket {
  const { TCP, constants } = (process as unknown as { binding(name: string): unknown }).binding('tcp_wrap') as {
    TCP: new (kind: number) => Handle
    constants: { SERVER: number }
  }
  const handle = new TCP(constants.SERVER)
  if (handle.bind('127.0.0.1', port) !== 0) throw new Error(`port ${port} is taken`)
  return {
    // LISTEN_PID must be the process id: a shell sets it, then execs the program.
    start: (command, { output = 'ignore', ...options }) =>
      spawn('sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh', ...command], {
        ...options,
        stdio: ['ignore', output, output === 'pipe' ? 'pipe' : 'inherit', handle.fd],
      }),
    close: () => handle.close(),
  }
}
