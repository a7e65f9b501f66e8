import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../../platform/config/config.ts'
import { digest } from '../../../platform/runtime/ids.ts'

/** An audit log head saved outside the database. */
export interface Anchor {
  day: string
  row: bigint
  hash: string
  at: Date
}

/** The file's location and its database. */
export type AnchorConfig = Pick<Config, 'dataDir' | 'databaseUrl'>

const fileOf = (config: AnchorConfig) => path.join(config.dataDir, 'audit-heads.txt')
const LINE = /^(\d{4}-\d{2}-\d{2}) row (\d{1,18}) ([0-9a-f]{64}) (\S+) (\S+)$/

/** Identifies the database by its address. The folder may hold an earlier database's heads, which do not apply here. */
function databaseOf({ databaseUrl }: AnchorConfig): string {
  if (databaseUrl === undefined) return 'embedded'
  const url = URL.parse(databaseUrl)
  return digest(url === null ? databaseUrl : `${url.host}${url.pathname}${url.searchParams.get('host') ?? ''}`).slice(0, 16)
}

/** Reads this database's saved heads, oldest first. Invalid lines are skipped. */
export function savedAnchors(config: AnchorConfig): Anchor[] {
  const [file, databaseId] = [fileOf(config), databaseOf(config)]
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, day, row, hash, at, database] = LINE.exec(line) ?? []
      return database !== databaseId || day === undefined || row === undefined || hash === undefined || at === undefined
        ? []
        : [{ day, row: BigInt(row), hash, at: new Date(at) }]
    })
}

/** Appends a head to the file, once per day, and waits for the disk. */
export function saveAnchor(config: AnchorConfig, { day, row, hash, at }: Anchor): void {
  if (savedAnchors(config).some((saved) => saved.day === day)) return
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = fileOf(config)
  // Starts a new line if a full disk has cut the last one.
  const torn = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))
  const line = `${day} row ${row} ${hash} ${at.toISOString()} ${databaseOf(config)}\n`
  writeFileSync(file, `${torn ? '\n' : ''}${line}`, { flag: 'a', mode: 0o600, flush: true })
}
