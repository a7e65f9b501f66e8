/**
 * Runs steps in parallel while the sum of the weights is at most the number of cores. Quick checks start first, in the order of the
 * table. Of the other steps, the one with the longest chain of dependent steps starts first, so that no long step runs alone at the end.
 */

/** @typedef {import('./steps.mjs').Step} Step */

/**
 * Returns the seconds from each step's start to the end of the last dependent step.
 * @param {readonly Step[]} steps
 * @param {(step: Step) => number} secondsOf
 */
function longestWays(steps, secondsOf) {
  /** @type {(step: Step, before?: readonly Step[]) => number} */
  const way = (step, before = []) => {
    const path = [...before, step]
    const next = steps.filter((other) => other.needs?.includes(step.name) && !path.includes(other))
    return secondsOf(step) + Math.max(0, ...next.map((other) => way(other, path)))
  }
  return new Map(steps.map((step) => [step.name, way(step)]))
}

/**
 * Runs every step once. A step starts after all needed steps have passed. If a needed step fails, the step is left out.
 * @template {{ passed: boolean }} Result
 * @param {readonly Step[]} steps
 * @param {object} how
 * @param {number} how.cores
 * @param {(step: Step) => number} how.secondsOf usual duration
 * @param {(step: Step) => Promise<Result>} how.start
 * @returns {Promise<Map<string, Result | 'left out'>>} results by name
 */
export async function runSteps(steps, { cores, secondsOf, start }) {
  /** @type {Map<string, Result | 'left out'>} */
  const results = new Map()
  /** @type {Map<string, Promise<void>>} */
  const running = new Map()
  const lengths = longestWays(steps, secondsOf)
  const isNeeded = (/** @type {Step} */ { name }) => Number(steps.some(({ needs = [] }) => needs.includes(name)))
  const others = steps
    .filter(({ first }) => first !== true)
    .toSorted((a, b) => isNeeded(b) - isNeeded(a) || (lengths.get(b.name) ?? 0) - (lengths.get(a.name) ?? 0))
  const waiting = [...steps.filter(({ first }) => first === true), ...others]
  const weightOf = (/** @type {Step} */ { weight }) => Math.min(weight, cores)
  const hasPassed = (/** @type {string} */ name) => {
    const result = results.get(name)
    return result !== undefined && result !== 'left out' && result.passed
  }
  const needsOf = (/** @type {Step} */ { needs = [] }) => needs.filter((name) => steps.some((step) => step.name === name))
  const busy = () => steps.filter(({ name }) => running.has(name)).reduce((sum, step) => sum + weightOf(step), 0)
  const canStart = (/** @type {Step} */ step) =>
    needsOf(step).every(hasPassed) && busy() + weightOf(step) <= cores && (step.last !== true || waiting.length + running.size === 1)
  while (waiting.length + running.size > 0) {
    const lost = waiting.find((step) => needsOf(step).some((name) => results.has(name) && !hasPassed(name)))
    const next = lost ?? waiting.find(canStart)
    if (next !== undefined) waiting.splice(waiting.indexOf(next), 1)
    if (lost !== undefined) results.set(lost.name, 'left out')
    else if (next !== undefined) {
      const ended = start(next).then((result) => {
        results.set(next.name, result)
        running.delete(next.name)
      })
      running.set(next.name, ended)
    } else if (running.size > 0) await Promise.race(running.values())
    else throw new Error(`Steps that need each other: ${waiting.map(({ name }) => name).join(', ')}`)
  }
  return results
}
