import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

/** Port for Prometheus metrics only, separate from the members' port. */
export interface MetricsPort {
  open(): Promise<void>
  /**
   * Opens the port as soon as it is free, for example from the previous process. Members are served meanwhile.
   * @param report receives the reason once while the port is taken
   */
  openWhenFree(report: (why: string) => void): Promise<void>
  close(): Promise<void>
}

/** Milliseconds between two attempts. */
const RETRY_DELAY_MS = 2_000

export function metricsPort(registry: Registry, at: { port: number; host: string }): MetricsPort {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  let again: NodeJS.Timeout | undefined
  const open = () => new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port, at.host, () => resolve()))
  const openWhenFree = async (report: (why: string) => void) => {
    try {
      await open()
    } catch (error) {
      report(error instanceof Error ? error.message : String(error))
      again = setTimeout(() => void openWhenFree(() => undefined), RETRY_DELAY_MS).unref()
    }
  }
  return {
    open,
    openWhenFree,
    close: () =>
      new Promise((resolve) => {
        clearTimeout(again)
        if (!server.listening) return resolve()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
