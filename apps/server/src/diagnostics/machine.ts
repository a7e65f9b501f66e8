import { access, constants, stat, statfs } from 'node:fs/promises'
import type { Config } from '../platform/config/config.ts'
import { KEY_SETTINGS, SETTINGS } from '../platform/config/environment.ts'
import { present } from '../platform/config/setting.ts'
import { settingsFileOf } from '../platform/config/settings-file.ts'
import { isReadOnly } from '../platform/embedded/private-folder.ts'
import { findingsFor, type Finding } from './finding.ts'

/** Minimum free bytes for backups. */
const MIN_FREE_BYTES = 1_000_000_000
/** Maximum clock error in seconds: authenticator codes change every 30. */
const SKEW = 20

const { good, warning, bad } = findingsFor('machine')

/** Checks the host: access and free space in DATA_DIR, permissions on secret files, and the clock. */
export async function machineFindings(config: Config, env: NodeJS.ProcessEnv = process.env): Promise<Finding[]> {
  const found = await Promise.all([folderFindings(config.dataDir), secretFiles(env), clockFindings(config)])
  const findings = found.flat()
  return findings.length > 0 ? findings : [good('the clock is correct, and DATA_DIR is writable with enough free space')]
}

async function folderFindings(folder: string): Promise<Finding[]> {
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    if (isReadOnly(error)) return [bad(`DATA_DIR ${folder} is on a read-only disk`, `mount -o remount,rw the disk of ${folder}`)]
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'is not writable for this user'
    return [warning(`DATA_DIR ${folder} ${why}`, `install -d -o tizara -g tizara -m 700 ${folder}`)]
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= MIN_FREE_BYTES) return []
  return [warning(`only ${Math.floor(free / 1e6)} MB are free in ${folder}: backups will fail`, `free disk space: du -sh ${folder}/*`)]
}

/** Checks that only owner and group can read secret files: the settings file, each `*_FILE`, and the keystores. */
async function secretFiles(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const keys = KEY_SETTINGS.filter((name) => name.endsWith('_KEYSTORE'))
  const named = [...SETTINGS.filter(({ fromFile }) => fromFile).map(({ name }) => `${name}_FILE`), ...keys]
  const files = [settingsFileOf(env), ...named.map((name) => present(env[name]))].filter((file) => file !== undefined)
  const modes = await Promise.all(files.map(async (file) => ({ file, mode: (await stat(file).catch(() => undefined))?.mode ?? 0 })))
  // A container's folder is not visible outside, and its modes are set by the runtime.
  const open = modes.filter(({ file, mode }) => (mode & 0o077) !== 0 && !file.startsWith('/run/secrets/'))
  const keyFiles = new Set(keys.map((name) => present(env[name])))
  return open.flatMap(({ file, mode }) => {
    if ((mode & 0o007) !== 0)
      return [bad(`every user of this machine can read ${file}`, `run \`chmod 640 ${file}\`, then create new secrets (docs/operations.md)`)]
    // The API runs as another user of the same group.
    return keyFiles.has(file) ? [warning(`the group of ${file}, a signing key, can read it, and so can the API`, `chmod 400 ${file}`)] : []
  })
}

/** Compares the clock with the payment provider's. Other checks report problems of the response. */
async function clockFindings({ mode, paymentProviderUrl: url }: Config): Promise<Finding[]> {
  if (mode !== 'production' || url === undefined) return []
  const before = Date.now()
  const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  const theirs = Date.parse(answer?.headers.get('date') ?? '')
  const apart = Math.abs(theirs - (before + Date.now()) / 2) / 1000
  // Allows a small difference, because the provider's clock has a resolution of one second.
  if (Number.isNaN(apart) || apart <= SKEW) return []
  return [
    bad(
      `the clock differs from the provider's by ${apart.toFixed(0)} seconds: codes of authenticator apps fail`,
      'timedatectl set-ntp true',
    ),
  ]
}
