import { createServer } from 'node:net'

/** Another program listens where we want to; the message is for the person at the terminal. */
export class PortBusy extends Error {}

const isFree = (port: number, host: string) =>
  new Promise<boolean>((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/**
 * Finds out before the first start's long work that another program holds a port.
 * @throws PortBusy
 */
export async function assertPortsFree(host: string, wanted: Readonly<Record<string, number>>): Promise<void> {
  for (const [setting, port] of Object.entries(wanted)) {
    if (!(await isFree(port, host))) {
      throw new PortBusy(`Port ${port} is in use. Stop what listens there, or choose another with ${setting}=… npm start`)
    }
  }
}
