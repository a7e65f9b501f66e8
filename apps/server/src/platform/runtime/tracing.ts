import type { Config } from '../config/config.ts'
import type { Tracing } from './tracing.types.ts'

let running: Tracing | undefined

/** Returns the tracing, or undefined if tracing is off. The packages are loaded only if tracing is on. */
export const tracing = (): Tracing | undefined => running

/** Starts tracing if the settings name a collector. Runs before the database opens, so that its statements are traced. */
export async function startTracing({ traces }: Pick<Config, 'traces'>, service: 'api' | 'worker' | 'serve'): Promise<void> {
  if (traces === undefined) return
  const { openTelemetry } = await import('./open-telemetry.ts')
  running = openTelemetry(traces, service)
}
