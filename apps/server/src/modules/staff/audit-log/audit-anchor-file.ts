import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../../platform/config/config.ts'
import { isSigned, signatureOf } from '../../../platform/crypto/sign.ts'
import { digest } from '../../../platform/runtime/ids.ts'

/** An audit log head saved outside the database. */
export interface Anchor {
  day: string
  row: bigint
  hash: string
  at: Date
}

/** An anchor from the file. `isSigned` is false if the line was changed, or signed with another `DATA_KEY`. */
export interface SavedAnchor extends Anchor {
  isSigned: boolean
}

/** The file's location, its database, and the key that signs its lines. */
export type AnchorConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'dataKey' | 'dataKeyPrevious'>

const fileOf = (config: AnchorConfig) => path.join(config.dataDir, 'audit-heads.txt')
const PURPOSE = 'audit heads'
/** A line without a signature is read too, so that an attacker cannot hide a head by removing its signature. */
const LINE =
  /^(?<signed>(?<day>\d{4}-\d{2}-\d{2}) row (?<row>\d{1,18}) (?<hash>[0-9a-f]{64}) (?<at>\S+) (?<database>\S+))(?: (?<signature>\S+))?$/

/** Identifies the database by its address. The folder may hold an earlier database's heads, which do not apply here. */
function databaseOf({ databaseUrl }: AnchorConfig): string {
  if (databaseUrl === undefined) return 'embedded'
  const url = URL.parse(databaseUrl)
  return digest(url === null ? databaseUrl : `${url.host}${url.pathname}${url.searchParams.get('host') ?? ''}`).slice(0, 16)
}

/** Reads this database's saved heads, oldest first. Truncated lines are skipped. */
export function savedAnchors(config: AnchorConfig): SavedAnchor[] {
  const [file, databaseId] = [fileOf(config), databaseOf(config)]
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const { signed = '', day = '', row = '', hash = '', at = '', database, signature = '' } = LINE.exec(line)?.groups ?? {}
      if (database !== databaseId) return []
      return [{ day, row: BigInt(row), hash, at: new Date(at), isSigned: isSigned({ config }, PURPOSE, signed, signature) }]
    })
}

/** Signs all lines again while `DATA_KEY_PREVIOUS` is set, because they outlive the previous key. Changed lines stay as they are. */
export function signAnchorsAgain(config: AnchorConfig): void {
  const file = fileOf(config)
  if (config.dataKeyPrevious === undefined || !existsSync(file)) return
  const before = readFileSync(file, 'utf8')
  const after = before.split('\n').map((line) => {
    const { signed, signature = '' } = LINE.exec(line)?.groups ?? {}
    return signed !== undefined && isSigned({ config }, PURPOSE, signed, signature) ? sign(config, signed) : line
  })
  if (after.join('\n') === before) return
  writeFileSync(`${file}.part`, after.join('\n'), { mode: 0o600, flush: true })
  renameSync(`${file}.part`, file)
}

const sign = ({ dataKey }: AnchorConfig, text: string): string => `${text} ${signatureOf(dataKey, PURPOSE, text)}`

/** Appends a signed head to the file, once per day, and waits for the disk. */
export function saveAnchor(config: AnchorConfig, { day, row, hash, at }: Anchor): void {
  if (savedAnchors(config).some((saved) => saved.day === day)) return
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = fileOf(config)
  // Starts a new line if a full disk has cut the last one.
  const torn = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))
  const line = sign(config, `${day} row ${row} ${hash} ${at.toISOString()} ${databaseOf(config)}`)
  writeFileSync(file, `${torn ? '\n' : ''}${line}\n`, { flag: 'a', mode: 0o600, flush: true })
}
