import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'

/** What Node has below `net`: a socket that nobody here takes connections from. */
interface Handle {
  bind(address: string, port: number): number
  fd: number
  close(): void
}

/** An address that stays open while one process after the other serves it, as systemd holds that of a socket unit. */
export interface HeldSocket {
  /** Starts a program that finds the socket as its descriptor 3, and is told so by LISTEN_FDS. */
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
    // The process has to know its own number: a shell knows it, and becomes the program.
    start: (command, { output = 'ignore', ...options }) =>
      spawn('sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh', ...command], {
        ...options,
        stdio: ['ignore', output, output === 'pipe' ? 'pipe' : 'inherit', handle.fd],
      }),
    close: () => handle.close(),
  }
}
