import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../platform/config.ts'

/** A head of the audit log that stands outside the database. */
export interface Anchor {
  day: string
  row: bigint
  hash: string
  at: Date
}

const fileOf = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'audit-heads.txt')
const LINE = /^(\d{4}-\d{2}-\d{2}) row (\d{1,18}) ([0-9a-f]{64}) (\S+)$/

/** The heads that were kept, oldest first; a line that is none is left out. */
export function keptAnchors(config: Pick<Config, 'dataDir'>): Anchor[] {
  const file = fileOf(config)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, day, row, hash, at] = LINE.exec(line) ?? []
      return day === undefined || row === undefined || hash === undefined || at === undefined
        ? []
        : [{ day, row: BigInt(row), hash, at: new Date(at) }]
    })
}

/** Adds a head to the file, once a day, and waits until the disk has it. */
export function keepAnchor(config: Pick<Config, 'dataDir'>, { day, row, hash, at }: Anchor): void {
  if (keptAnchors(config).some((kept) => kept.day === day)) return
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = openSync(fileOf(config), 'a', 0o600)
  try {
    writeSync(file, `${day} row ${row} ${hash} ${at.toISOString()}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
