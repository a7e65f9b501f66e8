import type { BodyOf, QueryOf } from '@tizara/contract'
import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import type { staffAudit } from '@tizara/contract/staff'
import type { startExport } from '@tizara/contract/staff-audit'
import { formatUnits } from '@tizara/money'
import { entriesOf, knownAccount } from '../../ledger/index.ts'
import { type JobKind, JobRefused } from '../../jobs/background-job.ts'
import type { Db } from '../../platform/database.ts'
import { readSlice } from '../../platform/paging.ts'
import { searchMembers } from '../members/index.ts'
import { idsOfTime, walletLabel } from '../wallets/index.ts'
import { readAudit } from './audit.queries.ts'

type Wish = BodyOf<typeof startExport>
/** A page of lines, and the last row's id to go on behind. */
interface Lines {
  lines: string[][]
  last: string | undefined
}

const STEP = 1_000

/** Each list: its heading, and the lines behind a row, newest first. */
const LISTS: Readonly<Record<Wish['list'], { heading: string[]; read(db: Db, wish: Wish, before: string | undefined): Promise<Lines> }>> = {
  audit: {
    heading: ['Row', 'Time (UTC)', 'Actor', 'Role', 'Did', 'To', 'Why', 'Outcome', 'Address', 'Request', 'Previous hash', 'Hash'],
    read: async (db, { filter }, before) => {
      const kind = (['decision', 'view', 'refused'] as const).find((one) => one === filter.kind)
      const query: QueryOf<typeof staffAudit> = {
        q: filter.q,
        from: filter.from,
        to: filter.to,
        who: filter.who,
        kind,
        before,
        limit: STEP,
      }
      const { data } = await readAudit(db, query)
      const lines = data.map((row) =>
        [row.id, row.createdAt.toISOString(), row.actor, row.role, row.action, row.subject].concat(
          [row.reason, row.outcome, row.ip, row.requestId, row.previousHash, row.hash].map((text) => text ?? ''),
        ),
      )
      return { lines, last: data.at(-1)?.id }
    },
  },
  members: {
    heading: ['Name', 'Mail address', 'Code', 'Role', 'Verified', 'Active', 'Since (UTC)'],
    read: async (db, { filter }, before) => {
      const search = { text: filter.q ?? '', before: before === undefined ? undefined : BigInt(before), limit: STEP }
      const { rows } = await searchMembers(db, search)
      const lines = rows.map((row) =>
        [row.name, row.email, row.referral_code, row.role].concat(
          String(row.is_verified),
          String(row.is_active),
          row.created_at.toISOString(),
        ),
      )
      return { lines, last: rows.at(-1)?.id.toString() }
    },
  },
  entries: {
    heading: ['Transfer', 'Time (UTC)', 'Kind', 'Amount', 'Balance after', 'Asset', 'Other account', 'Member', 'Cause', 'Cause id'],
    read: async (db, { filter }, before) => {
      const number = BigInt(filter.account ?? '0')
      if (knownAccount(number) === undefined) throw new JobRefused('There is no such account')
      const { since, before: until } = readSlice({ from: filter.from, to: filter.to })
      const found = await entriesOf(db, number, {
        ...(await idsOfTime(db, since, until)),
        since,
        until,
        kind: filter.kind,
        before: before === undefined ? undefined : BigInt(before),
        limit: STEP,
      })
      const lines = found.map((entry) => {
        const other = knownAccount(entry.other)
        const [name, member] =
          other === undefined ? ['', ''] : 'house' in other ? [other.house, ''] : [walletLabel(other.kind), String(other.owner)]
        return [
          String(entry.transferId),
          entry.at.toISOString(),
          entry.kind,
          formatUnits(entry.amount),
          formatUnits(entry.balanceAfter),
        ].concat([entry.asset, name, member, entry.cause.type, entry.cause.id])
      })
      return { lines, last: found.at(-1)?.transferId.toString() }
    },
  },
}

/** Writes a list of staff into a CSV file, a page a step. */
export const exportJob: JobKind<Wish, { before: string; rows: number }> = {
  name: 'staff-export',
  file: ({ list }) => ({ name: `${list}.csv`, type: 'text/csv; charset=utf-8' }),
  step: async (tx, _, { input, place }) => {
    const { heading, read } = LISTS[input.list]
    const { lines, last } = await read(tx, input, place?.before)
    const rows = (place?.rows ?? 0) + lines.length
    const write = place === undefined ? BYTE_ORDER_MARK + writeCsv([heading, ...lines]) : writeCsv(lines)
    if (last === undefined || lines.length < STEP) return { done: rows, total: rows, write, result: { rows } }
    return { done: rows, total: 0, write, next: { before: last, rows } }
  },
}
