import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Member } from './members.queries.ts'
import { phoneBegins } from './phone.ts'

/** Maximum number of counted results. */
const MAX_COUNTED = 10_000

/** Criteria for the staff search. */
export interface MemberSearch {
  /**
   * Start of a word of the name, of the email address or of the phone number, or a complete referral code or id. Blank matches all
   * members.
   */
  text: string
  state?: 'active' | 'blocked' | 'unverified' | 'special' | 'staff' | undefined
  /** Members found by an address or a transaction. */
  ids?: readonly bigint[] | undefined
  /** Only members who joined before this one. */
  before?: bigint | undefined
  limit: number
  /** Limit for matches read and counted. */
  max?: number
}

type State = NonNullable<MemberSearch['state']>

const STATES: Readonly<Record<State, RawBuilder<unknown>>> = {
  active: sql`is_active and is_verified`,
  blocked: sql`not is_active`,
  unverified: sql`not is_verified`,
  special: sql`is_special_rcm`,
  staff: sql`role <> 'MEMBER'`,
}

/** SQL: true for members in a state; for all without one. */
export const inMemberState = (state: State | undefined): RawBuilder<unknown> => (state === undefined ? sql`true` : STATES[state])

const beginning = (text: string) => `${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns one SQL condition for each column that the text may match. Each condition uses one index. */
function formsOf(text: string): RawBuilder<unknown>[] {
  const forms = [sql`email like ${beginning(text.toLowerCase())}`, sql`public_id = ${text}`]
  if (text.includes('@')) return forms
  const terms = text.match(/[\p{L}\p{N}]+/gu) ?? []
  // Quotes each word, so that it contains no operators.
  const query = terms.map((word) => `'${word}':*`).join(' & ')
  if (query !== '') forms.push(sql`to_tsvector('simple'::regconfig, name) @@ to_tsquery('simple'::regconfig, ${query})`)
  const figures = text.replace(/\D/g, '')
  if (/^\+?[\d\s()./-]+$/.test(text) && figures.length >= 3) forms.push(phoneBegins(figures))
  if (/^[a-z0-9]{4,16}$/i.test(text)) forms.push(sql`referral_code = ${text.toUpperCase()}`)
  return forms
}

/**
 * Searches members, newest first.
 * @returns at most `limit` rows, and the count, up to 10,000
 */
export async function searchMembers(
  db: Db,
  { text, state, ids, before, limit, max = MAX_COUNTED }: MemberSearch,
): Promise<{ rows: Member[]; total: number }> {
  const pattern = text.trim()
  const inState = inMemberState(state)
  if (ids !== undefined) return page(db, { all: sql`id = any(${ids}::bigint[]) and ${inState}`, before, limit })
  if (pattern === '') return page(db, { all: inState, before, limit })
  const found = await idsOf(db, formsOf(pattern), inState, max)
  const shown = found.filter((id) => before === undefined || id < before).slice(0, limit)
  const rows = await membersById(db, shown)
  return { rows: shown.flatMap((id) => rows.get(id) ?? []), total: found.length }
}

/**
 * Finds matching members, newest first, with one index query per column. A single condition over all members would scan all of them if the
 * matches are few or old. Above the maximum number, the first matches of each index are returned.
 */
async function idsOf(db: Db, forms: readonly RawBuilder<unknown>[], inState: RawBuilder<unknown>, max: number): Promise<bigint[]> {
  const searches = forms.map((form) => sql`(select id from member where ${form} and ${inState} limit ${max})`)
  const { rows } = await sql<{ id: bigint }>`${sql.join(searches, sql` union `)} order by id desc limit ${max}`.execute(db)
  return rows.map((row) => row.id)
}

interface SearchPage extends Pick<MemberSearch, 'before' | 'limit'> {
  all: RawBuilder<unknown>
}

async function page(db: Db, { all, before, limit }: SearchPage): Promise<{ rows: Member[]; total: number }> {
  const [found, counted] = await Promise.all([
    sql<Member>`select * from member where ${all} ${before === undefined ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*)::int as total from (select from member where ${all} limit ${MAX_COUNTED}) counted`.execute(db),
  ])
  return { rows: found.rows, total: counted.rows[0]?.total ?? 0 }
}

/** Reads members by database id. */
export async function membersById(db: Db, ids: readonly bigint[]): Promise<Map<bigint, Member>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('member')
    .selectAll()
    .where('id', '=', sql<bigint>`any (${ids}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Lists a member's direct referrals, newest first, before a given one. */
export async function pageOfReferrals(
  db: Db,
  memberId: bigint,
  { before, limit }: { before?: bigint | undefined; limit: number },
): Promise<Member[]> {
  let found = db.selectFrom('member').selectAll().where('sponsor_id', '=', memberId)
  if (before !== undefined) found = found.where('id', '<', before)
  return found.orderBy('id', 'desc').limit(limit).execute()
}

/** Lists all staff by name. */
export function staffMembers(db: Db): Promise<Member[]> {
  return db.selectFrom('member').selectAll().where('role', '<>', 'MEMBER').orderBy('name').limit(500).execute()
}
