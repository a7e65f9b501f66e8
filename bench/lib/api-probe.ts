/**
 * Loaded into the measured API (`--import`). Counts the API's messages to the database that wait for a response, and records CPU profiles
 * on request. The benchmark asks by messages to the process, so that the API's code stays unchanged.
 */
import pg from 'pg'
import { startProfile, type FunctionTime } from './cpu-profile.ts'

/** Request of the benchmark. */
export type ProbeRequest = 'round-trips' | 'start-profile' | { stopProfile: string | undefined }
/** Response of the probe. */
export interface ProbeAnswer {
  roundTrips: number
  functions?: FunctionTime[]
}

let roundTrips = 0
const wire = (pg as unknown as { Connection: { prototype: Record<'sync' | 'query', (...args: unknown[]) => unknown> } }).Connection
  .prototype

/** Counts the two messages that end with a response for which the sender waits. Batched statements share one message. */
for (const name of ['sync', 'query'] as const) {
  const send = wire[name]
  wire[name] = function counted(this: unknown, ...args: unknown[]) {
    roundTrips += 1
    return send.apply(this, args)
  }
}

/** Returns the number of messages of this process so far. */
export const countRoundTrips = () => roundTrips

let stop: Awaited<ReturnType<typeof startProfile>> | undefined

async function answer(request: ProbeRequest): Promise<ProbeAnswer> {
  if (request === 'start-profile') stop = await startProfile()
  const functions = typeof request === 'object' ? await stop?.(request.stopProfile) : undefined
  return { roundTrips, ...(functions !== undefined && { functions }) }
}

process.on('message', (request: ProbeRequest) => void answer(request).then((one) => process.send?.(one)))
// The probe must not keep the process alive.
process.channel?.unref()
