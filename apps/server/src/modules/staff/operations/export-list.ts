import type { BodyOf, QueryOf } from '@tizara/contract'
import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import type { staffAudit } from '@tizara/contract/staff'
import type { startExport } from '@tizara/contract/staff-audit'
import { timelineKinds } from '@tizara/contract/staff-member-pages'
import { formatUnits } from '@tizara/money'
import { countEntries, entriesOf, knownAccount } from '../../../ledger/index.ts'
import { FILE_MAX_BYTES, type JobKind, JobError } from '../../../jobs/background-job.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { type Member, membersById, searchMembers } from '../../members/index.ts'
import { listRewardRuns } from '../../rewards/index.ts'
import { idsOfTime, walletLabel } from '../../wallets/index.ts'
import { estimateAuditOf, readAudit } from '../audit-log/audit.queries.ts'
import { digestLines, signatureLine } from '../audit-log/signed-export.ts'
import { exportDays, readTopTeams } from '../business/business.queries.ts'
import { describeFigure, FIGURE_COLUMNS, TOTAL_COLUMNS } from '../business/business-figures.ts'
import { dailyTotals } from './overview.queries.ts'
import { estimateSegment, readSegment } from '../segments/segment.queries.ts'
import { countTimeline, readTimeline } from '../members/timeline.queries.ts'

type ExportInput = BodyOf<typeof startExport>
/** One batch of CSV rows, and the position of the next batch; `next` is undefined at the end. */
interface Lines {
  lines: string[][]
  next: string | undefined
}

const STEP = 1_000
/** Rows that are counted before an export, so that the first step stays short. So many rows are larger than a file in every list. */
const MAX_COUNTED = 700_000
/** Estimated size, as a multiple of the limit, above which an export does not begin. Rows of one list differ in length. */
const MARGIN = 1.5
/** Runs per batch. Each run is summed from its partitions. */
const RUNS_STEP = 200
/** Days in the money export: the widest range of the overview. */
const MONEY_DAYS = 365
const BUSINESS_FIGURES = [...Object.keys(FIGURE_COLUMNS), ...Object.keys(TOTAL_COLUMNS)] as (
  | keyof typeof FIGURE_COLUMNS
  | keyof typeof TOTAL_COLUMNS
)[]
/** Formats a count as a whole number, and an amount as a decimal. */
const cellOf = (value: bigint | number): string => (typeof value === 'bigint' ? formatUnits(value) : String(value))
const memberCells = (row: Member): string[] => [
  row.name,
  row.email,
  row.referral_code,
  row.role,
  String(row.is_verified),
  String(row.is_active),
  row.created_at.toISOString(),
  row.rank ?? '',
]
const page = (lines: string[][], last: unknown): Lines => ({ lines, next: lines.length < STEP ? undefined : String(last) })

/** Rows of a member's search that can be exported, because a search finds no more. */
const MAX_FOUND = 10_000

interface ExportList {
  heading: string[]
  /** Reads the rows, newest first. */
  read(db: Db, input: ExportInput, before: string | undefined, now: Date): Promise<Lines>
  /** Counts or estimates the rows, up to {@link MAX_COUNTED}. Null: at most one row a day, or one batch. */
  count: ((db: Db, input: ExportInput, now: Date) => Promise<number>) | null
}

function auditQuery({ filter }: ExportInput): QueryOf<typeof staffAudit> {
  const kind = (['decision', 'view', 'refused'] as const).find((one) => one === filter.kind)
  return { q: filter.q, from: filter.from, to: filter.to, who: filter.who, kind, limit: STEP }
}

const timelineKindsOf = ({ filter }: ExportInput) => timelineKinds.filter((kind) => filter.kind === undefined || kind === filter.kind)

async function entrySearch(db: Db, { filter }: ExportInput) {
  const { since, before: until } = readPageRange({ from: filter.from, to: filter.to })
  return { ...(await idsOfTime(db, since, until)), since, until, kind: filter.kind }
}

const accountOfInput = ({ filter }: ExportInput) => BigInt(filter.account ?? '0')

/** Each list that staff can export. */
export const exportList: Readonly<Record<ExportInput['list'], ExportList>> = {
  money: {
    heading: ['Day (UTC)', 'Asset', 'In', 'Out', 'USD held', 'USD owed'],
    count: null,
    read: async (db, _, __, now) => {
      const { flows, balanceSheet } = await dailyTotals(db, now, MONEY_DAYS)
      const sheets = new Map(balanceSheet.map((sheet) => [sheet.day, sheet]))
      const lines = flows.map(({ day, asset, in: paidIn, out }) => {
        const sheet = asset === 'usd' ? sheets.get(day) : undefined
        const sums = sheet === undefined ? ['', ''] : [sheet.reserves, sheet.liabilities].map(formatUnits)
        return [day, asset, formatUnits(paidIn), formatUnits(out), ...sums]
      })
      return { lines: lines.toReversed(), next: undefined }
    },
  },
  business: {
    heading: ['Day (UTC)', ...BUSINESS_FIGURES.map(describeFigure)],
    count: null,
    read: async (db, _, before) => {
      const days = await exportDays(db, before, STEP)
      const lines = days.map((day) => [day.day, ...BUSINESS_FIGURES.map((name) => cellOf(day[name]))])
      return page(lines, days.at(-1)?.day)
    },
  },
  teams: {
    heading: [
      'From (UTC)',
      'Through (UTC)',
      'Leader',
      'Member',
      'Verified members',
      'USD taken',
      'USD taken in the period before',
      'Coin staked',
    ],
    count: null,
    read: async (db, { filter }, _, now) => {
      const { period, teams } = await readTopTeams(db, now, filter.period ?? '30', filter.level === '1' ? 1 : 0, STEP)
      const lines = teams.map((team) =>
        [period?.from ?? '', period?.through ?? '', team.leader.name, team.leader.id, String(team.verified)].concat(
          [team.usdTaken, team.usdTakenBefore, team.coinStaked].map(formatUnits),
        ),
      )
      return { lines, next: undefined }
    },
  },
  runs: {
    heading: [
      'Run',
      'Due until (UTC)',
      'Status',
      'Payments',
      'Coin paid',
      'USD paid',
      'Coin owed',
      'USD owed',
      'Started by',
      'Ended (UTC)',
    ],
    count: null,
    read: async (db, _, before) => {
      const { data } = await listRewardRuns(db, { page: 1, limit: RUNS_STEP }, before === undefined ? undefined : BigInt(before))
      const sums = (parts: readonly { asset: string; amount: bigint }[]) =>
        ['coin', 'usd'].map((asset) => formatUnits(parts.find((part) => part.asset === asset)?.amount ?? 0n))
      const lines = data.map((run) =>
        [run.id, run.dueUntil.toISOString(), run.phase, String(run.payments)].concat(
          [...sums(run.paid), ...sums(run.owed)],
          run.startedBy ?? 'the worker',
          run.finishedAt?.toISOString() ?? '',
        ),
      )
      return { lines, next: data.length < RUNS_STEP ? undefined : data.at(-1)?.id }
    },
  },
  timeline: {
    heading: ['Time (UTC)', 'Kind', 'Event', 'Detail', 'Amount', 'Asset', 'Actor'],
    count: (db, input) => countTimeline(db, input.filter.member ?? '', timelineKindsOf(input), MAX_COUNTED),
    read: async (db, input, before) => {
      const query = { limit: STEP, before, kinds: timelineKindsOf(input) }
      const { rows, next } = await readTimeline(db, input.filter.member ?? '', query)
      const lines = rows.map((row) =>
        [row.at.toISOString(), row.kind, row.text, row.detail ?? ''].concat(
          row.amount === undefined ? '' : formatUnits(row.amount),
          row.asset ?? '',
          row.by?.email ?? '',
        ),
      )
      return { lines, next }
    },
  },
  audit: {
    heading: [
      'Row',
      'Time (UTC)',
      'Actor',
      'Role',
      'Action',
      'Subject',
      'Reason',
      'Outcome',
      'Address',
      'Request',
      'Previous hash',
      'Hash',
    ],
    count: (db, input) => estimateAuditOf(db, auditQuery(input)),
    read: async (db, input, before) => {
      const { data, searchedTo } = await readAudit(db, { ...auditQuery(input), before })
      const lines = data.map((row) =>
        [row.id, row.createdAt.toISOString(), row.actor, row.role, row.action, row.subject].concat(
          [row.reason, row.outcome, row.ip, row.requestId, row.previousHash, row.hash].map((text) => text ?? ''),
        ),
      )
      return { lines, next: lines.length < STEP ? searchedTo?.id : data.at(-1)?.id }
    },
  },
  members: {
    heading: [
      'Name',
      'Mail address',
      'Code',
      'Role',
      'Verified',
      'Active',
      'Since (UTC)',
      'Rank',
      'USD in wallets',
      'Coin in stakes',
      'Last seen (UTC)',
    ],
    count: async (db, { filter }, now) => {
      if ((filter.q ?? '') === '') return await estimateSegment(db, filter, now)
      const { total } = await searchMembers(db, { text: filter.q ?? '', state: filter.state, limit: 1 })
      if (total >= MAX_FOUND)
        throw new JobError(`The search finds ${MAX_FOUND.toLocaleString('en')} members or more. Search for a longer text`)
      return total
    },
    read: async (db, { filter }, before, now) => {
      const position = before === undefined ? undefined : BigInt(before)
      if ((filter.q ?? '') !== '') {
        const { rows } = await searchMembers(db, { text: filter.q ?? '', state: filter.state, before: position, limit: STEP })
        return page(rows.map(memberCells), rows.at(-1)?.id)
      }
      const { rows, last } = await readSegment(db, filter, { now, before: position, limit: STEP, scan: STEP })
      const members = await membersById(
        db,
        rows.map(({ id }) => id),
      )
      const lines = rows.flatMap(({ id, usd, staked, seenAt }) => {
        const row = members.get(id)
        return row === undefined ? [] : [[...memberCells(row), formatUnits(usd), formatUnits(staked), seenAt?.toISOString() ?? '']]
      })
      return { lines, next: last === undefined ? undefined : String(last) }
    },
  },
  entries: {
    heading: ['Transfer', 'Time (UTC)', 'Kind', 'Amount', 'Balance after', 'Asset', 'Other account', 'Member', 'Cause', 'Cause id'],
    count: async (db, input) => countEntries(db, accountOfInput(input), await entrySearch(db, input), MAX_COUNTED),
    read: async (db, input, before) => {
      const number = accountOfInput(input)
      if (knownAccount(number) === undefined) throw new JobError('There is no such account')
      const found = await entriesOf(db, number, {
        ...(await entrySearch(db, input)),
        before: before === undefined ? undefined : BigInt(before),
        limit: STEP,
      })
      const lines = found.map((entry) => {
        const other = knownAccount(entry.other)
        const [name, member] =
          other === undefined ? ['', ''] : 'system' in other ? [other.system, ''] : [walletLabel(other.kind), String(other.owner)]
        return [
          String(entry.transferId),
          entry.at.toISOString(),
          entry.kind,
          formatUnits(entry.amount),
          formatUnits(entry.balanceAfter),
        ].concat([entry.asset, name, member, entry.cause.type, entry.cause.id])
      })
      return page(lines, found.at(-1)?.transferId)
    },
  },
}

/** Says how staff get the rows of a list that is too large for one file. */
const SMALLER_FILE: Readonly<Partial<Record<ExportInput['list'], string>>> = {
  members:
    'Press Filter, choose criteria that match fewer members, for example a rank, a calling code or a range of balances, and export each part',
  timeline: 'Choose one kind of events, and export each kind',
}

/**
 * Rejects an export whose file would be larger than a file may be, before it is written.
 * @param bytes size of the first rows
 * @throws JobError with the number of rows, the size and the way to smaller files
 */
export function assertExportFits({ rows, bytes, total }: { rows: number; bytes: number; total: number }, smaller: string): void {
  const size = rows === 0 ? 0 : (bytes / rows) * total
  if (size <= FILE_MAX_BYTES * MARGIN) return
  const megabytes = Math.round(size / 1024 / 1024).toLocaleString('en')
  const count = `${total >= MAX_COUNTED ? 'more than ' : 'about '}${Math.min(total, MAX_COUNTED).toLocaleString('en')}`
  throw new JobError(`The file would have ${count} rows and about ${megabytes} MB. A file has at most 64 MB. ${smaller}`)
}

const smallerFileOf = (list: ExportInput['list']) => SMALLER_FILE[list] ?? 'Choose a shorter period'

/** Writes a staff list to a CSV file, one batch per step. The last line of the audit log is its signature. */
export const exportJob: JobKind<ExportInput, { before: string; rows: number; total?: number; digest?: string }> = {
  name: 'staff-export',
  file: ({ list }) => ({ name: `${list}.csv`, type: 'text/csv; charset=utf-8' }),
  smallerFile: ({ list }) => `The file would be larger than 64 MB. ${smallerFileOf(list)}`,
  read: async (db, { clock, config }, { input, checkpoint }) => {
    const { heading, read, count } = exportList[input.list]
    const { lines, next } = await read(db, input, checkpoint?.before, clock.now())
    const rows = (checkpoint?.rows ?? 0) + lines.length
    const write = checkpoint === undefined ? BYTE_ORDER_MARK + writeCsv([heading, ...lines]) : writeCsv(lines)
    const isFirst = checkpoint === undefined
    const total = isFirst && next !== undefined && count !== null ? await count(db, input, clock.now()) : checkpoint?.total
    if (isFirst && total !== undefined) assertExportFits({ rows, bytes: Buffer.byteLength(write), total }, smallerFileOf(input.list))
    const digest = input.list === 'audit' ? digestLines(checkpoint?.digest ?? '', write) : undefined
    const signature = digest === undefined ? '' : signatureLine(config.dataKey, digest)
    if (next === undefined) return { done: rows, total: rows, write: write + signature, result: { rows } }
    return {
      done: rows,
      total: total ?? 0,
      write,
      next: { before: next, rows, ...(total === undefined ? {} : { total }), ...(digest === undefined ? {} : { digest }) },
    }
  },
}
