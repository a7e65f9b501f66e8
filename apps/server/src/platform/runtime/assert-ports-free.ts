import { createServer } from 'node:net'
import { StartupError } from './startup-error.ts'
import { listenError } from './listen-error.ts'

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.listen(port, host, () => server.close(() => resolve(true)))
  }).catch((error: unknown) => {
    const why = listenError(error)
    throw why === undefined ? error : new StartupError(why)
  })

/**
 * Checks before the first start's long work that the ports are free.
 * @throws StartupError
 */
export async function assertPortsFree(host: string, ports: Readonly<Record<string, number>>): Promise<void> {
  for (const [setting, port] of Object.entries(ports)) {
    if (!(await isFree(port, host))) {
      throw new StartupError(`Port ${port} is in use. Stop the program that uses it, or choose another port with ${setting}=… npm start`)
    }
  }
}
