import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { statementChannel } from '../src/platform/embedded/statement-channel.ts'

/** Returns a statement's form, equal for lists of any length. One text per form shows whether an engine accepts it. */
export const formOf = (text: string): string => text.replaceAll(/\$\d+/g, '$').replaceAll(/(\$|\([$, ]+\))(?:, \1)+/g, '$1, …')

/** Schema for rows multiplied by tests. Excluded, because each copy count has different texts. */
const OF_TESTS = 'first_rows.'

let recording: string | undefined

/** Writes each statement with a new form to a file in a folder, once. */
export function recordStatements(folder: string): void {
  if (recording !== undefined) return
  recording = folder
  const seen = new Set<string>()
  statementChannel.subscribe((message) => {
    const text = String(message)
    if (seen.has(text) || text.includes(OF_TESTS)) return
    seen.add(text)
    const file = path.join(folder, `${createHash('sha256').update(formOf(text)).digest('hex')}.sql`)
    if (!existsSync(file)) writeFileSync(file, text)
  })
}

/** Returns environment variables that make a child process record too. */
export const recordingOptions = (): NodeJS.ProcessEnv =>
  recording === undefined ? {} : { NODE_OPTIONS: `--import=${import.meta.url}?folder=${encodeURIComponent(recording)}` }

const wanted = new URL(import.meta.url).searchParams.get('folder')
if (wanted !== null) recordStatements(wanted)
