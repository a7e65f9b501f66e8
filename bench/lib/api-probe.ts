/**
 * Loaded into the measured API (`--import`): counts its messages to the database that wait for a response, and records CPU profiles on
 * request. Both are answers to messages of the benchmark, so the API's code stays as it is.
 */
import pg from 'pg'
import { startProfile, type FunctionTime } from './cpu-profile.ts'

/** Request of the benchmark. */
export type ProbeRequest = 'round-trips' | 'start-profile' | 'stop-profile'
/** Answer to a request. */
export interface ProbeAnswer {
  roundTrips: number
  functions?: FunctionTime[]
}

let roundTrips = 0
const wire = (pg as unknown as { Connection: { prototype: Record<'sync' | 'query', (...args: unknown[]) => unknown> } }).Connection
  .prototype

/** Both messages end with a response that the sender awaits; batched statements share one of them. */
for (const name of ['sync', 'query'] as const) {
  const send = wire[name]
  wire[name] = function counted(this: unknown, ...args: unknown[]) {
    roundTrips += 1
    return send.apply(this, args)
  }
}

/** Returns the messages of this process so far. */
export const countRoundTrips = () => roundTrips

let stop: (() => Promise<FunctionTime[]>) | undefined

async function answer(request: ProbeRequest): Promise<ProbeAnswer> {
  if (request === 'start-profile') stop = await startProfile()
  const functions = request === 'stop-profile' ? await stop?.() : undefined
  return { roundTrips, ...(functions !== undefined && { functions }) }
}

process.on('message', (request: ProbeRequest) => void answer(request).then((one) => process.send?.(one)))
// The probe must not keep the process alive.
process.channel?.unref()
