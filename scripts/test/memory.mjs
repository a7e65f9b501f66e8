/** Saves data for later runs: durations, hashes of passed inputs, and reports. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @returns {any} */
const readJson = (/** @type {string} */ file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // At the first run the file does not exist; after an interrupted run the file can be incomplete.
    return {}
  }
}

/**
 * Opens the folder with the data of earlier runs of this clone.
 * @param {string} folder
 * @param {string} extent
 */
export function openMemory(folder, extent) {
  const file = { seconds: path.join(folder, 'seconds.json'), passed: path.join(folder, 'passed.json') }
  const inputs = (/** @type {string} */ name) => path.join(folder, 'inputs', `${name}.json`)
  const reports = (/** @type {string} */ of) => path.join(folder, 'reports', of)
  const logs = path.join(folder, 'logs')
  for (const made of [reports(extent), logs, path.join(folder, 'inputs')]) mkdirSync(made, { recursive: true })
  const seconds = readJson(file.seconds)
  const passed = readJson(file.passed)
  const change = (/** @type {string} */ at, /** @type {object} */ value) => writeFileSync(at, `${JSON.stringify(value, undefined, 2)}\n`)
  return {
    /** File with all output of a step. */
    logOf: (/** @type {string} */ name) => path.join(logs, `${name}.log`),
    /** Duration of the step's last passed run, in seconds. */
    secondsOf: (/** @type {string} */ name) => seconds[extent]?.[name]?.seconds,
    /** Report of the step's last run. */
    reportOf: (/** @type {string} */ name, of = extent) => path.join(reports(of), `${name}.json`),
    hasPassed: (/** @type {string} */ name, /** @type {string | undefined} */ hash) => hash !== undefined && passed[name] === hash,
    /**
     * Inputs of the step's last run, if it passed, by path.
     * @returns {Record<string, string> | undefined}
     */
    inputsOf: (/** @type {string} */ name) => (passed[name] === undefined ? undefined : readJson(inputs(name))),
    /**
     * Saves the result of a step.
     * @param {string} name
     * @param {{ passed: boolean, seconds: number, cpu: number, hash: string | undefined, report: string, files?: Record<string, string> | undefined, partial?: boolean }} result
     * `report` is the path of the step's report, `files` are the step's inputs by path. `partial`: only some tests ran, so the duration is not stored
     */
    keep(name, { passed: good, seconds: took, cpu, hash, report, files, partial = false }) {
      if (existsSync(report)) copyFileSync(report, path.join(reports(extent), `${name}.json`))
      if (good && !partial)
        seconds[extent] = { ...seconds[extent], [name]: { seconds: Math.round(took * 10) / 10, cpu: Math.round(cpu * 10) / 10 } }
      if (good) change(file.seconds, seconds)
      if (extent !== 'short') return
      if (good && hash !== undefined && files !== undefined) change(inputs(name), files)
      if (good && hash !== undefined) passed[name] = hash
      else delete passed[name]
      change(file.passed, passed)
    },
  }
}
