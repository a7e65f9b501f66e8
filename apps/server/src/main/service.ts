import type { Config } from '../platform/config/config.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartupError } from '../platform/runtime/startup-error.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { listenError } from '../platform/runtime/listen-error.ts'
import { createLog } from '../platform/runtime/log.ts'
import { loadSettingsFile } from '../platform/config/settings-file.ts'
import { weakSettings } from '../platform/config/production.ts'
import { languagesOf } from '../platform/config/languages.ts'
import { ConfigErrors } from '../platform/config/setting.ts'
import { withDevChain } from '../sandbox/index.ts'
import { createDeps } from './deps.ts'

/** Maximum problems of languages in the log. The command `languages check` lists all. */
const MAX_PROBLEMS = 20

/**
 * Creates the dependencies of a long-running process. All output is log lines, including fatal ones: invalid settings
 * (code 2) and uncaught errors (code 1).
 */
export function createService(): Deps {
  const deps = createDeps(withDevChain(readSettings()))
  process.removeAllListeners('warning')
  process.on('warning', (warning) => deps.log.warn({ warning: warning.name }, warning.message))
  process.on('uncaughtException', (error) => {
    const known = startupErrorText(error)
    if (known === undefined) deps.log.fatal({ stack: error.stack }, 'ended by an unexpected error')
    else deps.log.fatal(known)
    process.exit(1)
  })
  if (deps.config.mode === 'production' && process.getuid?.() === 0)
    deps.log.warn('runs as root with all privileges of this machine: start it as a separate user (deploy/tizara-api.service)')
  for (const problem of languagesOf(deps.config).problems.slice(0, MAX_PROBLEMS))
    deps.log.warn({ problem }, 'a language has a problem: run `languages check`')
  if (deps.config.mode === 'production') for (const { what } of weakSettings(deps.config)) deps.log.warn(what)
  return deps
}

/** Explains a common startup failure to the operator; undefined for others. */
export const startupErrorText = (error: unknown): string | undefined => (error instanceof StartupError ? error.message : listenError(error))

function readSettings(): Config {
  try {
    loadSettingsFile(process.env)
    return readConfig(process.env)
  } catch (error) {
    const errors = error instanceof ConfigErrors ? error.errors : [error instanceof Error ? error.message : String(error)]
    createLog('info').fatal({ errors }, 'the settings are invalid. Correct them (docs/settings.md)')
    process.exit(2)
  }
}
