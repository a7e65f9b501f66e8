import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../../platform/config/config.ts'
import { digest } from '../../../platform/runtime/ids.ts'

/** A head of the audit log that stands outside the database. */
export interface Anchor {
  day: string
  row: bigint
  hash: string
  at: Date
}

/** Where the heads lie, and of which database they are. */
export type Keeper = Pick<Config, 'dataDir' | 'databaseUrl'>

const fileOf = (config: Keeper) => path.join(config.dataDir, 'audit-heads.txt')
const LINE = /^(\d{4}-\d{2}-\d{2}) row (\d{1,18}) ([0-9a-f]{64}) (\S+) (\S+)$/

/** Names the database by its address: a folder may have served another one before, whose heads say nothing of this one. */
function databaseOf({ databaseUrl }: Keeper): string {
  if (databaseUrl === undefined) return 'embedded'
  const url = URL.parse(databaseUrl)
  return digest(url === null ? databaseUrl : `${url.host}${url.pathname}${url.searchParams.get('host') ?? ''}`).slice(0, 16)
}

/** The heads that were kept of this database, oldest first; a line that is none is left out. */
export function keptAnchors(config: Keeper): Anchor[] {
  const [file, here] = [fileOf(config), databaseOf(config)]
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, day, row, hash, at, database] = LINE.exec(line) ?? []
      return database !== here || day === undefined || row === undefined || hash === undefined || at === undefined
        ? []
        : [{ day, row: BigInt(row), hash, at: new Date(at) }]
    })
}

/** Adds a head to the file, once a day, and waits until the disk has it. */
export function keepAnchor(config: Keeper, { day, row, hash, at }: Anchor): void {
  if (keptAnchors(config).some((kept) => kept.day === day)) return
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = fileOf(config)
  // A line that a full disk tore must not tear the next one.
  const torn = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))
  const line = `${day} row ${row} ${hash} ${at.toISOString()} ${databaseOf(config)}\n`
  writeFileSync(file, `${torn ? '\n' : ''}${line}`, { flag: 'a', mode: 0o600, flush: true })
}
