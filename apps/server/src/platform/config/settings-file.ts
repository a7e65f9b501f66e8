import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Default settings file of the `tizara` command. */
const DEFAULT_FILE = '/etc/tizara/tizara.env'

/** Returns the settings file: TIZARA_SETTINGS, or the default file if it exists. */
export function settingsFileOf(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['TIZARA_SETTINGS']?.trim() ?? ''
  if (named !== '') return named
  return existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined
}

/** A value and the rest of its line. Quoted values may span lines. */
const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=(?:[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)[ \t]*(?:#.*)?|(.*))$/gm

/**
 * Reads lines `NAME=value` with any line ends. Rejects ambiguous lines.
 * @throws Error with the file and all faults, but no values
 */
export function readSettingsFile(file: string): Map<string, string> {
  // Editors on Windows begin a file with a mark of its encoding.
  const text = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  const faults: string[] = []
  const names = new Set<string>()
  for (const [, name = '', plain = ''] of text.matchAll(LINE)) {
    if (names.has(name)) faults.push(`${name} stands twice`)
    names.add(name)
    if (/^\s*["'`]/.test(plain)) faults.push(`${name} has a quote that does not end its value`)
    else if (/(^|\S)#/.test(plain)) faults.push(`${name} has a # in it: put the value in quotes, else it ends there`)
  }
  const lines = text.replaceAll(LINE, '').split('\n')
  if (lines.some((line) => line.trim() !== '' && !line.trim().startsWith('#'))) faults.push('a line is neither NAME=value nor a comment')
  if (faults.length > 0) throw new Error(`${file}: ${faults.join('; ')}.`)
  return new Map(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']))
}
