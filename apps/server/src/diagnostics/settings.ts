import { keySettingsIn, SETTINGS } from '../platform/config/environment.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { loadSettingsFile, readSettingsFile, settingsFileOf } from '../platform/config/settings-file.ts'
import { StartupError } from '../platform/runtime/startup-error.ts'
import { ConfigErrors } from '../platform/config/setting.ts'
import { weakSettings } from '../platform/config/production.ts'
import { findingsFor, type Finding } from './finding.ts'

const { good, warning, bad } = findingsFor('settings')
const FILE = 'the settings file (docs/settings.md)'

/** Minimum number of distinct characters in a secret, regardless of length. */
const FEWEST_CHARACTERS = 10

/** Checks the environment. Without a valid configuration no other check can run. */
export function readSettingsFindings(env: NodeJS.ProcessEnv): { config?: Config; findings: Finding[] } {
  let config: Config
  try {
    loadSettingsFile(env)
    config = readConfig(env)
  } catch (error) {
    if (error instanceof StartupError) return { findings: [bad(error.message, `correct ${FILE}`)] }
    if (!(error instanceof ConfigErrors)) throw error
    return { findings: error.errors.map((text) => bad(text, `correct ${text.split(':', 1)[0]} in ${FILE}`)) }
  }
  const findings = [...settingsFindings(config), ...sharedKeys(config, env)]
  return { config, findings: findings.length > 0 ? findings : [good('complete')] }
}

/**
 * Reports settings of signing keys in the file that the API reads too. Only the worker signs. One process for everything, on the
 * embedded database, cannot separate them.
 */
function sharedKeys(config: Config, env: NodeJS.ProcessEnv): Finding[] {
  const file = settingsFileOf(env)
  if (config.mode !== 'production' || config.databaseUrl === undefined || file === undefined) return []
  const found = keySettingsIn(Object.fromEntries(readSettingsFile(file)))
  if (found.length === 0) return []
  return [
    warning(
      `${found.join(', ')} in ${file}: the API can read the signing keys`,
      'move them to worker.env (docs/chain.md, The keys of the worker)',
    ),
  ]
}

/** Lists valid settings that an operator should still know about. */
export function settingsFindings(config: Config): Finding[] {
  const findings: Finding[] = []
  if (config.mode !== 'production')
    return [warning(`NODE_ENV is ${config.mode}: sandbox payments, and default secrets`, `set NODE_ENV=production in ${FILE}`)]
  const secrets = { TOKEN_SECRET: config.tokenSecret, DATA_KEY: config.dataKey, PAYMENT_PROVIDER_SECRET: config.paymentProviderSecret }
  for (const [name, value] of Object.entries(secrets)) {
    if (new Set(value).size < FEWEST_CHARACTERS)
      findings.push(bad(`${name} is easy to guess`, 'create a new one with `tizara secrets`, and rotate it (docs/operations.md)'))
  }
  findings.push(...weakSettings(config).map(({ what, fix }) => warning(what, `${fix} ${FILE}`)))
  if (config.trustProxy === 0)
    findings.push(warning('TRUST_PROXY is 0: behind a proxy all members share one address and its limits', `set TRUST_PROXY=1 in ${FILE}`))
  if (config.metricsPort === undefined)
    findings.push(warning('METRICS_PORT is not set: metrics are not published', `set METRICS_PORT in ${FILE}`))
  const isSet = (name: string) => process.env[name] !== undefined || process.env[`${name}_FILE`] !== undefined
  const previous = SETTINGS.map(({ name }) => name).filter((name) => name.endsWith('_PREVIOUS') && isSet(name))
  if (previous.length > 0)
    findings.push(
      warning(
        `${previous.join(', ')}: a rotation is not finished`,
        `remove it from ${FILE} after the rotation period (docs/operations.md)`,
      ),
    )
  return findings
}
