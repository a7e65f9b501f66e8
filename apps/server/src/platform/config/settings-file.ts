import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { StartupError } from '../runtime/startup-error.ts'
import { SETTINGS } from './environment.ts'

/** Default environment file of all commands and server processes. */
const DEFAULT_FILE = '/etc/tizara/tizara.env'

/** Returns the environment file: TIZARA_SETTINGS, or the default file if it exists. */
export function settingsFileOf(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['TIZARA_SETTINGS']?.trim() ?? ''
  if (named !== '') return named
  return existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined
}

/** Variables that belong to Node, the PostgreSQL driver or the system, not to the settings. */
const SYSTEM_VARIABLES = /^(NODE_|PG|SSL_CERT_|TZ$|LANG$|LC_)/

const settingOf = (name: string) => name.replace(/_FILE$/, '')

/**
 * Adds the values of the environment file to an environment. Existing values of the environment take precedence.
 * @throws StartupError if the file cannot be read or names an unknown setting, because a start with only some of the settings would be
 * wrong
 */
export function loadSettingsFile(env: NodeJS.ProcessEnv): void {
  const file = settingsFileOf(env)
  if (file === undefined) return
  const known = new Set(SETTINGS.flatMap(({ name, fromFile }) => (fromFile ? [name, `${name}_FILE`] : [name])))
  const read = readSettingsFile(file)
  const unknown = [...read.keys()].filter((name) => !known.has(name) && !SYSTEM_VARIABLES.test(name))
  if (unknown.length > 0) throw new StartupError(`${file}: unknown settings: ${unknown.join(', ')} (docs/settings.md lists all settings)`)
  // A setting and its `_FILE` form count as the same setting: either form in the environment overrides the file.
  const overridden = new Set(Object.keys(env).map(settingOf))
  for (const [name, value] of read) if (!overridden.has(settingOf(name))) env[name] = value
}

/** Pattern of a value and the rest of the line. A quoted value may contain line breaks. */
const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=(?:[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)[ \t]*(?:#.*)?|(.*))$/gm

/**
 * Reads lines `NAME=value` with any line ends. Rejects ambiguous lines.
 * @throws StartupError with the file and all errors, but no values
 */
export function readSettingsFile(file: string): Map<string, string> {
  // Editors on Windows write a byte order mark (BOM).
  const text = readText(file)
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  const errors: string[] = []
  const names = new Set<string>()
  for (const [, name = '', plain = ''] of text.matchAll(LINE)) {
    if (names.has(name)) errors.push(`${name} is set twice`)
    names.add(name)
    if (/^\s*["'`]/.test(plain)) errors.push(`${name} has an unmatched quote, or text after the closing quote`)
    else if (/(^|\S)#/.test(plain)) errors.push(`${name} has a # in it: put the value in quotes, else it ends there`)
  }
  const lines = text.replaceAll(LINE, '').split('\n')
  if (lines.some((line) => line.trim() !== '' && !line.trim().startsWith('#'))) errors.push('a line is neither NAME=value nor a comment')
  if (errors.length > 0) throw new StartupError(`${file}: ${errors.join('; ')}.`)
  return new Map(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new StartupError(`The settings file ${file} cannot be read (${code}): correct TIZARA_SETTINGS, or give this user the file.`)
  }
}
