import { homedir } from 'node:os'
import path from 'node:path'
import { readConfigOrExit } from '../../main/read-config.ts'
import { askSecret } from './ask.ts'
import type { Platform } from './session.ts'

/** Returns the configured platform, with the session stored for the current user. */
export function configuredPlatform(): Platform {
  let baseUrl: string | undefined
  const read = () => {
    const config = readConfigOrExit()
    return new URL(config.apiBaseUrl, config.publicUrl).href
  }
  return {
    // Read on first use: help needs no settings.
    get baseUrl() {
      return (baseUrl ??= read())
    },
    folder: path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config'), 'tizara'),
    ask: askSecret,
  }
}
