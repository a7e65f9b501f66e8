/**
 * `npm run verify-export -- FILE`: verifies that a CSV file is an unchanged export of the audit log of this instance. It reads DATA_KEY,
 * but no database. `--key KEY` verifies it for the holder of the public key, without any setting.
 * Exits with 0 if the file is unchanged, with 1 otherwise, and with 2 for an unreadable file.
 */
import { readFileSync } from 'node:fs'
import { readConfigOrExit } from '../main/read-config.ts'
import { exportError, exportKeyOf } from '../modules/staff/index.ts'
import { commandLine } from './command-line.mjs'
import { errorText } from '../platform/runtime/error-text.ts'

const { values, positionals } = commandLine('verify-export')
const [file = ''] = positionals
const key = values.key ?? exportKeyOf(readConfigOrExit().dataKey)

try {
  const error = exportError(readFileSync(file, 'utf8'), key)
  console.log(error === undefined ? `${file} is unchanged, signed with the key ${key}.` : `${file} is not valid: ${error}.`)
  if (error !== undefined) process.exitCode = 1
} catch (error) {
  console.error(errorText(error, file))
  process.exitCode = 2
}
