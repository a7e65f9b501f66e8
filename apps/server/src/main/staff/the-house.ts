import { homedir } from 'node:os'
import path from 'node:path'
import { readConfigOrExit } from '../read-config.ts'
import { askSecret } from './ask.ts'
import type { House } from './session.ts'

/** The product that the settings name, and the session of whoever runs the command. */
export function theHouse(): House {
  const config = readConfigOrExit()
  return {
    baseUrl: new URL(config.apiBaseUrl, config.publicUrl).href,
    folder: path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config'), 'tizara'),
    ask: askSecret,
  }
}
