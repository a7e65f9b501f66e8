import { writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'

/** Self time of one function. */
export interface FunctionTime {
  /** Name of the function and its file. */
  name: string
  /** Self time in ms. */
  self: number
}

/** Sampling interval in microseconds. */
const INTERVAL_US = 500

/**
 * Starts a CPU profile of this process.
 * @returns a function that ends the profile and returns the self times. With a file name it also writes the profile, for the flame graphs
 * of Chrome's DevTools and speedscope
 */
export async function startProfile(): Promise<(output?: string) => Promise<FunctionTime[]>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await session.post('Profiler.start')
  return async (output) => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    if (output !== undefined) await writeFile(output, JSON.stringify(profile))
    const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
    const times = new Map<string, number>()
    for (const [index, id] of (profile.samples ?? []).entries()) {
      const frame = nodes.get(id)
      if (frame === undefined || frame.functionName === '(idle)' || frame.url === 'node:inspector') continue
      const file = frame.url.replace(/^.*\/(?=(?:node_modules|apps|packages|bench)\/)/, '').replace(/^.*node_modules\//, '')
      const name = `${frame.functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${frame.lineNumber + 1}`}`
      times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas?.[index] ?? 0) / 1_000)
    }
    return [...times].map(([name, self]) => ({ name, self })).toSorted((a, b) => b.self - a.self)
  }
}

/** Formats the functions with the most self time, each with its share of the total. */
export function topFunctions(functions: readonly FunctionTime[], count: number): string[] {
  const total = functions.reduce((sum, { self }) => sum + self, 0)
  return functions.slice(0, count).map(({ name, self }) => `${((100 * self) / total).toFixed(1).padStart(5)} %  ${name}`)
}
