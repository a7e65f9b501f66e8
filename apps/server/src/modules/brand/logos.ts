import { createHash } from 'node:crypto'
import { LOGO_MAX_BYTES, LOGO_SIDES } from '@tizara/contract/staff-brand'
import { sql } from 'kysely'
import sharp from 'sharp'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** A logo rendered to PNG. */
export interface RenderedLogo {
  hash: string
  mark: Buffer
  icon: Buffer
}

const MARK_SIDE = 96
const ICON_SIDE = 512
/** Smallest side of an SVG in pixels. */
const MIN_SVG_SIDE = 16
/** Days after which an unused upload is deleted, and the maximum number of unused uploads. */
const UNUSED_DAYS = 30
const MAX_UNUSED = 50

/**
 * Contents of an SVG that are refused, each with its reason. The server renders the file and serves only the PNG, so none of them could
 * run. A file that contains them would look different in a browser.
 */
const REFUSED: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/<!(doctype|entity)/i, 'it declares a document type or an entity'],
  [/<\?xml-stylesheet/i, 'it links to a style sheet'],
  [/<\s*([\w-]+:)?script\b/i, 'it contains a script'],
  [/<\s*([\w-]+:)?foreignobject\b/i, 'it contains foreignObject'],
  [/<\s*([\w-]+:)?(animate\w*|set)\b/i, 'it is animated'],
  [/<\s*([\w-]+:)?(image|feimage)\b/i, 'it contains another picture'],
  [/[\s"'/]on[a-z]+\s*=/i, 'it contains an event handler'],
  [/(href|src)\s*=\s*(["']?)\s*(?!\2#)[^\s"'#]/i, 'it links to another file'],
  [/url\(\s*["']?\s*[^\s"'#)]/i, 'it links to another file'],
  [/@import/i, 'it links to a style sheet'],
]

const refuse = (reason: string) => new AppError('LOGO_REFUSED', { reason }, [{ path: 'image', message: reason }])

/**
 * Checks an uploaded logo and renders it.
 * @param bytes SVG or PNG, whatever its name
 * @throws AppError LOGO_REFUSED with the reason
 */
export async function renderLogo(bytes: Buffer): Promise<RenderedLogo> {
  if (bytes.length > LOGO_MAX_BYTES) throw refuse(`it is larger than ${LOGO_MAX_BYTES / 1000} kB`)
  const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG'
  if (isPng) {
    if (bytes.includes('acTL')) throw refuse('it is animated')
  } else assertPlainSvg(bytes)
  const { format, width, height } = await metadataOf(bytes)
  if (format !== (isPng ? 'png' : 'svg')) throw refuse('it is neither SVG nor PNG')
  const min = isPng ? LOGO_SIDES.min : MIN_SVG_SIDE
  if (width !== height) throw refuse(`it is ${width} × ${height} px, and must be square`)
  if (width < min || width > LOGO_SIDES.max)
    throw refuse(`it is ${width} × ${height} px, and must have between ${min} and ${LOGO_SIDES.max} px a side`)
  const density = isPng ? {} : { density: (72 * ICON_SIDE) / Math.min(width, ICON_SIDE) }
  const sized = (side: number) =>
    sharp(bytes, { ...density, failOn: 'error', limitInputPixels: LOGO_SIDES.max ** 2 })
      .timeout({ seconds: 5 })
      .resize(side, side)
      .png({ compressionLevel: 9 })
      .toBuffer()
  try {
    return { hash: createHash('sha256').update(bytes).digest('hex'), mark: await sized(MARK_SIDE), icon: await sized(ICON_SIDE) }
  } catch {
    throw refuse('it cannot be read')
  }
}

/** @throws AppError LOGO_REFUSED for anything but a plain drawing */
function assertPlainSvg(bytes: Buffer): void {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse('it is neither SVG nor PNG')
  }
  if (!/<\s*([\w-]+:)?svg\b/i.test(text)) throw refuse('it is neither SVG nor PNG')
  const found = REFUSED.find(([pattern]) => pattern.test(text))
  if (found !== undefined) throw refuse(found[1])
}

/** Reads only the header. */
async function metadataOf(bytes: Buffer) {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch {
    throw refuse('it cannot be read')
  }
}

/**
 * Stores a rendered logo, and deletes old uploads that no brand names. A repeated upload changes nothing.
 * @throws AppError LOGO_REFUSED while too many unused uploads are stored
 */
export async function storeLogo(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  memberId: bigint,
  { hash, mark, icon }: RenderedLogo,
): Promise<void> {
  const now = clock.now()
  const unused = sql<boolean>`not exists (select from brand b where b.logo = brand_logo.hash or b.logo_dark = brand_logo.hash)`
  // Uploads wait for each other, so that concurrent ones cannot exceed the limit.
  await sql`lock table brand_logo in share row exclusive mode`.execute(tx)
  await tx
    .deleteFrom('brand_logo')
    .where('uploaded_at', '<', new Date(now.getTime() - UNUSED_DAYS * DAY_MS))
    .where(unused)
    .execute()
  const { count } = await tx
    .selectFrom('brand_logo')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(unused)
    .where('hash', '<>', hash)
    .executeTakeFirstOrThrow()
  if (count >= MAX_UNUSED) throw refuse('too many logos were uploaded and not used, try again in some days')
  await tx
    .insertInto('brand_logo')
    .values({ hash, mark, icon, uploaded_at: now, uploaded_by: memberId })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ uploaded_at: now }))
    .execute()
}

type Side = '96' | '512'
const bytesOf = (side: Side) => (side === '96' ? ('mark as bytes' as const) : ('icon as bytes' as const))

/** Reads a logo in one size, also before a brand names it. Only staff may see it; undefined if there is none. */
export async function readLogo(db: Db, hash: string, side: Side): Promise<Buffer | undefined> {
  const row = await db.selectFrom('brand_logo').select(bytesOf(side)).where('hash', '=', hash).executeTakeFirst()
  return row?.bytes
}

/** Reads a logo of a brand that is or was in force; undefined for any other logo. */
export async function readPublicLogo(db: Db, { clock }: Pick<Deps, 'clock'>, hash: string, side: Side): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('brand_logo')
    .select(bytesOf(side))
    .where('hash', '=', hash)
    .where(sql<boolean>`exists (select from brand b where hash in (b.logo, b.logo_dark) and b.starts_at <= ${clock.now()})`)
    .executeTakeFirst()
  return row?.bytes
}
