import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryFile } from '../apps/server/src/cli/command-line.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = path.join(root, 'node_modules', '.cache', 'seeded-database')
/** Maximum age for the seeded database. On older data, the worker would first pay the rewards due since seeding. */
const MAX_AGE_MS = 3_600_000

/** Seeds one embedded database for the run, unless the same code did so within the last hour. */
export default function seedDatabase(): void {
  const folder = path.join(cache, sourceDigest())
  if (!existsSync(folder) || Date.now() - statSync(folder).mtimeMs > MAX_AGE_MS) {
    mkdirSync(cache, { recursive: true })
    for (const old of readdirSync(cache).map((name) => path.join(cache, name)))
      if (Date.now() - statSync(old).mtimeMs > MAX_AGE_MS) rmSync(old, { recursive: true, force: true })
    const made = mkdtempSync(path.join(cache, 'new-'))
    for (const step of ['migrate', 'seed']) run(step, made)
    try {
      renameSync(made, folder)
    } catch (error) {
      // Another run of the same code was quicker.
      if (!existsSync(folder)) throw error
      rmSync(made, { recursive: true, force: true })
    }
  }
  process.env['SEEDED_DATABASE'] = folder
}

/** Returns a digest over all sources that determine the seeded data. */
function sourceDigest(): string {
  const digest = createHash('sha256').update(process.version)
  const files = globSync(
    ['apps/server/{tiers.json,db/**/*.sql}', 'apps/server/src/**/*.{ts,mjs,sql}', 'packages/*/src/**/*.ts', 'package-lock.json'],
    {
      cwd: root,
    },
  )
  for (const file of files.toSorted()) digest.update(file).update(readFileSync(path.join(root, file)))
  return digest.digest('hex')
}

function run(step: string, dataDir: string): void {
  const { status } = spawnSync(process.execPath, [entryFile(step)], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${step} ended with ${status}`)
}
