import type { QueryOf, ReplyOf } from '@tizara/contract'
import { type staffTimeline, type TimelineKind, timelineKinds } from '@tizara/contract/staff-member-pages'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import { countActionsBy } from '../../audit/index.ts'
import { requireMember, membersById } from '../../members/index.ts'
import { personOf } from '../access/person.ts'
import { countMovements } from './timeline-money.ts'
import { sources } from './timeline-sources.ts'

type Page = ReplyOf<typeof staffTimeline>

const PAGE = 40

/** Parses a cursor such as `m120.s7`: each source's letter and the last position shown. */
function readCursor(text: string | undefined): Map<string, bigint> {
  const parts = (text ?? '').split('.').filter((part) => part !== '')
  if (parts.some((part) => !/^[a-z]\d{1,18}$/.test(part)))
    throw new AppError('INVALID_INPUT', {}, [{ path: 'before', message: 'Not a row' }])
  return new Map(parts.map((part) => [part.slice(0, 1), BigInt(part.slice(1))]))
}

/**
 * Reads a member's timeline, newest first. Each source is read by its index below the last page's position, which keeps each
 * page's cost constant.
 * @throws AppError NOT_FOUND
 */
export async function readTimeline(db: Db, id: string, query: QueryOf<typeof staffTimeline>): Promise<Page> {
  const member = await requireMember(db, id)
  const limit = Math.min(query.limit ?? PAGE, 100)
  const kinds: ReadonlySet<TimelineKind> = new Set(query.kinds ?? timelineKinds)
  const cursor = readCursor(query.before)
  const selected = sources.filter((source) => source.kinds.some((kind) => kinds.has(kind)))
  const read = await Promise.all(
    selected.map(async ({ letter, rows }) => {
      const found = await rows(db, member, { before: cursor.get(letter), limit: limit + 1, kinds })
      // Keeps each source's order, even if its clocks disagree.
      let order = Infinity
      return found.map((entry) => {
        order = Math.min(order, entry.at.getTime())
        return { entry, letter, order }
      })
    }),
  )
  const all = read.flat().toSorted((a, b) => b.order - a.order)
  const pageRows = all.slice(0, limit)
  for (const { letter, entry } of pageRows) cursor.set(letter, smaller(cursor.get(letter), entry.position))
  const people = await membersById(
    db,
    pageRows.map(({ entry }) => entry.by).filter((by) => by !== undefined),
  )
  return {
    rows: pageRows.map(({ letter, entry: { position, by, ...row } }) => ({
      ...row,
      id: `${letter}${position}`,
      ...(by === undefined ? {} : { by: personOf(people.get(by)) }),
    })),
    ...(all.length > limit ? { next: [...cursor].map(([letter, position]) => `${letter}${position}`).join('.') } : {}),
  }
}

/**
 * Counts the rows of the sources of a timeline that can be long: money and the member's actions. At most the maximum of each is counted.
 * @throws AppError NOT_FOUND
 */
export async function countTimeline(db: Db, id: string, kinds: readonly TimelineKind[], max: number): Promise<number> {
  const member = await requireMember(db, id)
  const counts = await Promise.all([
    countMovements(db, member.id, new Set(kinds), max),
    kinds.includes('session') ? countActionsBy(db, member.id, max) : 0,
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

const smaller = (before: bigint | undefined, position: bigint): bigint => (before === undefined || position < before ? position : before)
