import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Seeds one embedded database for the whole run; every product that starts on the embedded one begins with a copy of it.
 * The journey of the newcomer still lets `npm start` seed for itself.
 * @returns what removes it again
 */
export default function seedHouse(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'house-'))
  const env = { ...process.env, NODE_ENV: 'development', DATA_DIR: folder, LOG_LEVEL: 'error' }
  for (const step of ['migrate', 'seed']) {
    const { status } = spawnSync(process.execPath, [path.join(root, 'apps/server/src/main', `${step}.ts`)], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`${step} ended with ${status}`)
  }
  process.env['SEEDED_HOUSE'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
