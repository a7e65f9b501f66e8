import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import type { Translate } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import { mailLanguage } from '../../../gateways/mailer/index.ts'
import type { JobKind, JobStep } from '../../../jobs/background-job.ts'
import { addToEntry, beginEntry, EMPTY_ZIP, endEntry, endZip, type ZipState } from '../../../jobs/zip-file.ts'
import { movementsBetween, MAX_TRANSFER_ID, walletId, walletKinds } from '../../../ledger/index.ts'
import { memberById } from '../../members/index.ts'
import { describeMovement } from '../../wallets/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { allTransfers } from '../../staff/index.ts'
import type { Owner, OwnTable } from './own-table.ts'
import { ownTables } from './own-tables.ts'

/** Rows of a page, and rows or images that a step reads at most before it ends. */
const PAGE = 500
/** Total size of the images, in bytes. A job's file has at most 64 MB. */
const IMAGES_MAX_BYTES = 40 * 1024 * 1024

type Value = string | boolean | null | object

interface Page {
  rows: Record<string, Value>[]
  /** Cursor of the next page; undefined at the end. */
  next?: string[] | undefined
}

/** One list of the archive. */
interface OwnSet {
  file: string
  header: readonly string[]
  read(db: Db, owner: Owner, after: string[] | undefined): Promise<Page>
}

interface Checkpoint {
  zip: ZipState
  /** File in progress: two for each set (JSON, CSV), then the images. */
  file: number
  after?: string[]
  /** Size of the images so far, in bytes. */
  images: number
}

/** Returns the text that explains the archive. The names and contents of the other files are English, like those of the API. */
const readme = (t: Translate): string =>
  [
    t('This archive has everything that the platform stores about you, with times in UTC.'),
    t(
      'Each list is in two files with the same rows: NAME.json and NAME.csv. The folder images has the images of your tickets, newest first, up to 40 MB. To get older ones, open a ticket.',
    ),
    t('Not in the archive: secrets such as your password, names of staff, and data of other members beyond what the app shows you.'),
  ].join('\n\n') + '\n'

const ofTable = ({ file, table, of, key, columns, amounts = [] }: OwnTable): OwnSet => ({
  file,
  header: [...columns, ...amounts],
  read: async (db, owner, after) => {
    const keys = sql.join(key.map((name) => sql.ref(name)))
    const cursor = sql.join(key.map((name, index) => sql`${sql.ref(name)}::text as ${sql.ref(`key ${index}`)}`))
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join([...columns, ...amounts].map((name) => sql.ref(name)))}, ${cursor} from ${sql.table(table)}
      where ${of(owner)} ${after === undefined ? sql`` : sql`and (${keys}) > (${sql.join(after)})`}
      order by ${keys} limit ${PAGE}`.execute(db)
    const last = rows.length === PAGE ? rows.at(-1) : undefined
    return {
      rows: rows.map((row) =>
        Object.fromEntries([
          ...columns.map((name) => [name, toJson(row[name])]),
          ...amounts.map((name) => [name, typeof row[name] === 'bigint' ? formatUnits(row[name]) : null]),
        ]),
      ),
      next: last === undefined ? undefined : key.map((_, index) => String(last[`key ${index}`])),
    }
  },
})

const ofWallet = (kind: (typeof walletKinds)[number]): OwnSet => ({
  file: `wallet-${kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  header: ['transfer', 'at', 'kind', 'amount', 'unit', 'balance_after', 'other_side'],
  read: async (db, owner, after) => {
    const range = { after: BigInt(after?.[0] ?? 0), upTo: MAX_TRANSFER_ID }
    const found = await movementsBetween(db, walletId(owner.id, kind), range, PAGE)
    const last = found.length === PAGE ? found.at(-1) : undefined
    return {
      rows: found.map((row) => ({
        transfer: String(row.id),
        at: row.at.toISOString(),
        amount: formatUnits(row.amount),
        balance_after: formatUnits(row.balanceAfter),
        ...describeMovement(allTransfers, owner.id, kind, row),
      })),
      next: last === undefined ? undefined : [String(last.id)],
    }
  },
})

const sets: readonly OwnSet[] = [...ownTables.map(ofTable), ...walletKinds.map(ofWallet)]
/** Number of files: README, two per set, and one for all images. */
const TOTAL = sets.length * 2 + 1

/** Writes all data about a member to a ZIP file, one page of rows at a time. */
export const ownDataJob: JobKind<object, Checkpoint> = {
  name: 'own-data',
  perDay: 3,
  file: () => ({ name: 'my-data.zip', type: 'application/zip' }),
  read: async (db, deps, { ownerId, checkpoint }) => {
    const found = await memberById(db, ownerId)
    if (found === undefined) throw new Error('the member of the data does not exist')
    const owner = { id: found.id, publicId: found.public_id }
    const archive = new Archive(checkpoint?.zip ?? EMPTY_ZIP)
    let at: Checkpoint = checkpoint ?? { zip: EMPTY_ZIP, file: 0, images: 0 }
    if (checkpoint === undefined) archive.add('README.txt', readme(mailLanguage(deps.config, found.language).t))
    let read = 0
    while (read < PAGE && at.file < sets.length * 2) {
      const page = await writePage(db, owner, archive, at)
      read += page.rows
      at = page.at
    }
    if (read >= PAGE || at.file < sets.length * 2) return step(archive, at)
    return writeImage(db, owner, archive, at)
  },
}

/** Collects the bytes that one step writes. */
class Archive {
  zip: ZipState
  readonly parts: Uint8Array[] = []
  constructor(zip: ZipState) {
    this.zip = zip
  }
  begin(name: string): void {
    this.#take(beginEntry(this.zip, name))
  }
  write(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
    if (bytes.length > 0) this.#take(addToEntry(this.zip, bytes))
  }
  end(): void {
    this.#take(endEntry(this.zip))
  }
  add(name: string, data: string | Uint8Array): void {
    this.begin(name)
    this.write(data)
    this.end()
  }
  #take({ zip, bytes }: { zip: ZipState; bytes: Buffer }): void {
    this.zip = zip
    this.parts.push(bytes)
  }
}

const step = (archive: Archive, at: Checkpoint): JobStep<Checkpoint> => ({
  done: Math.min(at.file, TOTAL),
  total: TOTAL,
  write: Buffer.concat(archive.parts),
  next: { ...at, zip: archive.zip },
})

async function writePage(db: Db, owner: Owner, archive: Archive, at: Checkpoint): Promise<{ at: Checkpoint; rows: number }> {
  const set = sets[Math.floor(at.file / 2)]
  if (set === undefined) throw new Error('no such file')
  const isJson = at.file % 2 === 0
  const { rows, next } = await set.read(db, owner, at.after)
  const isFirst = at.after === undefined
  if (isFirst) archive.begin(`${set.file}.${isJson ? 'json' : 'csv'}`)
  if (isJson) {
    const lines = rows.map((row) => JSON.stringify(row)).join(',\n')
    archive.write(`${isFirst ? '[\n' : lines === '' ? '' : ',\n'}${lines}${next === undefined ? '\n]\n' : ''}`)
  } else {
    const lines = rows.map((row) => set.header.map((name) => toCell(row[name])))
    archive.write((isFirst ? BYTE_ORDER_MARK : '') + writeCsv(isFirst ? [[...set.header], ...lines] : lines))
  }
  if (next !== undefined) return { at: { ...at, after: next }, rows: rows.length }
  archive.end()
  const { after: _, ...rest } = at
  return { at: { ...rest, file: at.file + 1 }, rows: rows.length }
}

const ENDINGS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' }

/** Writes the next image, newest first, or ends the archive. */
async function writeImage(db: Db, owner: Owner, archive: Archive, at: Checkpoint): Promise<JobStep<Checkpoint>> {
  const [createdAt, id] = at.after ?? []
  const { rows } = await sql<{ id: string; content_type: string; bytes: Buffer; key: string }>`
    select id, content_type, bytes, created_at::text as key from ticket_image where member_id = ${owner.id}
    ${id === undefined ? sql`` : sql`and (created_at, id) < (${createdAt}::timestamptz, ${id})`}
    order by created_at desc, id desc limit 1`.execute(db)
  const image = rows[0]
  const images = at.images + (image?.bytes.length ?? 0)
  if (image === undefined || images > IMAGES_MAX_BYTES) {
    return { done: TOTAL, total: TOTAL, write: Buffer.concat([...archive.parts, endZip(archive.zip)]) }
  }
  archive.add(`images/${image.id}.${ENDINGS[image.content_type] ?? 'bin'}`, image.bytes)
  return step(archive, { ...at, after: [image.key, image.id], images })
}

/** Converts a value of the database. */
function toJson(value: unknown): Value {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'boolean' || typeof value === 'object' || typeof value === 'string') return value
  return null
}

function toCell(value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
