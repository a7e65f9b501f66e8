import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

/** The port on which a process shows its figures to Prometheus, apart from members; it shows nothing else there. */
export interface MetricsPort {
  open(): Promise<void>
  close(): Promise<void>
}

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
  return {
    open: () => new Promise((resolve, reject) => server.once('error', reject).listen(at.port, at.host, () => resolve())),
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve()
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
