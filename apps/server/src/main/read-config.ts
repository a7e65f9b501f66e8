import { StartupError } from '../platform/runtime/startup-error.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { loadSettingsFile } from '../platform/config/settings-file.ts'
import { errorText } from '../platform/runtime/error-text.ts'

/**
 * Reads the settings file and the environment. A fault is printed in plain words and ends the process with code 2. Later startup errors end it
 * with code 1.
 */
export function readConfigOrExit(): Config {
  process.once('uncaughtException', (error) => {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  })
  try {
    loadSettingsFile(process.env)
    return readConfig(process.env)
  } catch (error) {
    console.error(errorText(error))
    process.exit(2)
  }
}
