import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { statementChannel } from '../src/platform/embedded/statement-channel.ts'

/**
 * The form of a statement text: the same for lists of any length, as one text of each form is enough for an engine to show
 * whether it takes it.
 */
export const formOf = (text: string): string => text.replaceAll(/\$\d+/g, '$').replaceAll(/(\$|\([$, ]+\))(?:, \1)+/g, '$1, …')

/** Schema of the rows that tests multiply into a long history. Each number of copies has texts of its own. */
const OF_TESTS = 'first_rows.'

let recording: string | undefined

/** Writes each text of a new form that this process sends to a database into a file of its own in a folder, once. */
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

/** What makes a process of the product record too, when this one does. */
export const recordingOptions = (): NodeJS.ProcessEnv =>
  recording === undefined ? {} : { NODE_OPTIONS: `--import=${import.meta.url}?folder=${encodeURIComponent(recording)}` }

const wanted = new URL(import.meta.url).searchParams.get('folder')
if (wanted !== null) recordStatements(wanted)
