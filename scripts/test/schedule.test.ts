import { describe, expect, it } from 'vitest'
import { runSteps } from './schedule.mjs'

interface Case {
  name: string
  weight: number
  seconds: number
  needs?: string[]
  first?: boolean
  last?: boolean
  fails?: boolean
}

/** Simulates the steps with a clock that jumps to the next end of a step, and records each start. */
async function simulate(cases: readonly Case[], cores: number) {
  const began: Record<string, number> = {}
  const ends: { at: number; end: () => void }[] = []
  let now = 0
  const steps = cases.map((one) => ({ commands: [], ...one }))
  const running = new Map<string, number>()
  let max = 0
  const done = runSteps(steps, {
    cores,
    secondsOf: ({ seconds }) => seconds,
    start: ({ name, seconds, weight }) => {
      began[name] = now
      running.set(name, weight)
      max = Math.max(
        max,
        [...running.values()].reduce((sum, one) => sum + one, 0),
      )
      return new Promise<{ passed: boolean }>((resolve) =>
        ends.push({
          at: now + seconds,
          end: () => {
            running.delete(name)
            resolve({ passed: cases.find((one) => one.name === name)?.fails !== true })
          },
        }),
      )
    },
  })
  let results: Awaited<typeof done> | undefined
  void done.then((all) => (results = all))
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    const next = ends.toSorted((a, b) => a.at - b.at)[0]
    if (next === undefined) break
    ends.splice(ends.indexOf(next), 1)
    now = next.at
    next.end()
  }
  return { began, seconds: now, max, results: results ?? (await done) }
}

describe('the schedule', () => {
  it('runs independent steps in parallel as far as the cores allow', async () => {
    const cases = ['a', 'b', 'c'].map((name) => ({ name, weight: 1, seconds: 10 }))
    const { began, max } = await simulate(cases, 2)
    expect(began).toEqual({ a: 0, b: 0, c: 10 })
    expect(max).toBe(2)
  })

  it('runs another step beside one that is mostly idle', async () => {
    const { seconds } = await simulate(
      [
        { name: 'server', weight: 1.5, seconds: 100 },
        { name: 'journeys', weight: 0.5, seconds: 90 },
      ],
      2,
    )
    expect(seconds).toBe(100)
  })

  it('starts the step on the critical path first', async () => {
    const { began, seconds } = await simulate(
      [
        { name: 'short', weight: 1, seconds: 20 },
        { name: 'long', weight: 1, seconds: 50 },
        { name: 'build', weight: 1, seconds: 10 },
        { name: 'journeys', weight: 1, seconds: 60, needs: ['build'] },
      ],
      2,
    )
    expect(began).toEqual({ build: 0, long: 0, journeys: 10, short: 50 })
    expect(seconds).toBe(70)
  })

  it('starts a prerequisite before a longer step, so that its dependents run beside that step', async () => {
    const { began, seconds } = await simulate(
      [
        { name: 'server', weight: 1.5, seconds: 400 },
        { name: 'build', weight: 1, seconds: 25 },
        { name: 'journeys', weight: 0.5, seconds: 300, needs: ['build'] },
      ],
      2,
    )
    expect(began).toEqual({ build: 0, journeys: 25, server: 25 })
    expect(seconds).toBe(425)
  })

  it('skips dependents of a failed step, and runs the rest', async () => {
    const { began, results } = await simulate(
      [
        { name: 'build', weight: 1, seconds: 1, fails: true },
        { name: 'journeys', weight: 1, seconds: 1, needs: ['build'] },
        { name: 'after', weight: 1, seconds: 1, needs: ['journeys'] },
        { name: 'server', weight: 1, seconds: 1 },
      ],
      1,
    )
    expect(began).not.toHaveProperty('journeys')
    expect(Object.fromEntries(results)).toEqual({
      build: { passed: false },
      journeys: 'left out',
      after: 'left out',
      server: { passed: true },
    })
  })

  it('starts the quick checks before longer steps and prerequisites, in the order of the table', async () => {
    const { began } = await simulate(
      [
        { name: 'server', weight: 1, seconds: 400 },
        { name: 'build', weight: 1, seconds: 10 },
        { name: 'journeys', weight: 1, seconds: 300, needs: ['build'] },
        { name: 'format', weight: 1, seconds: 1, first: true },
        { name: 'lint', weight: 1, seconds: 30, first: true },
        { name: 'structure', weight: 1, seconds: 20, first: true },
      ],
      2,
    )
    expect(began).toEqual({ format: 0, lint: 0, structure: 1, build: 21, server: 30, journeys: 31 })
  })

  it('runs the last step after all others, also after failed ones', async () => {
    const { began } = await simulate(
      [
        { name: 'trace', weight: 1, seconds: 1, last: true },
        { name: 'a', weight: 1, seconds: 5, fails: true },
        { name: 'b', weight: 1, seconds: 9 },
      ],
      2,
    )
    expect(began['trace']).toBe(9)
  })

  it('runs a step alone when it needs more cores than exist', async () => {
    const { max, seconds } = await simulate(
      [
        { name: 'a', weight: 2, seconds: 1 },
        { name: 'b', weight: 0.5, seconds: 1 },
      ],
      1,
    )
    expect([max, seconds]).toEqual([2, 2])
  })

  it('reports circular dependencies between steps', async () => {
    const circle = [
      { name: 'a', weight: 1, seconds: 1, commands: [], needs: ['b'] },
      { name: 'b', weight: 1, seconds: 1, commands: [], needs: ['a'] },
    ]
    const start = () => Promise.resolve({ passed: true })
    await expect(runSteps(circle, { cores: 1, secondsOf: () => 1, start })).rejects.toThrow('a, b')
  })
})
