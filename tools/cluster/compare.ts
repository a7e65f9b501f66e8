import { Client } from 'pg'
import { moneyRoutes } from '../../bench/lib/money-routes.ts'
import { send } from './call.ts'
import { staffActionDifferences, depositDifferences, recordedIncidents } from './compare-instance.ts'
import type { Load } from './load.ts'
import type { Acknowledged } from './acknowledged.ts'

/** Number of calls that are repeated with the same key at the end. */
const REPEATED_CALLS = 1_000

/** Result of the comparison. The numbers from `lost` to `unrequested` must be 0. */
export interface Comparison {
  answered: number
  /** Number of hosted payments with a response, and number of these that are paid. */
  ordered: number
  paid: number
  moved: number
  decided: number
  refused: number
  /** Number of calls with several attempts, and number of calls with an attempt without response. */
  repeated: number
  unknown: number
  /** Numbers of calls: with a response but not stored; stored with another response; posted too often or too rarely; stored without a call. */
  lost: number
  changed: number
  doubled: number
  unrequested: number
  /** Number of calls repeated at the end, and number of these with a different response. */
  again: number
  againOtherwise: number
}

interface StoredReply {
  operation: string
  key: string
  status: number
  answer: string
}
interface Moves {
  member: string
  kind: string
  postings: number
}

/** SQL: number of postings per member and kind. A posting counts for the owner of the debited account. */
const MOVES = `
  select a.owner_id::text as member, t.kind, count(distinct t.posting_id)::int as postings
  from ledger_transfer t join ledger_account a on a.id = t.debit_account where a.owner_id is not null group by 1, 2`
const BAD_INPUT = /"errorMessages":\[\{"path":"[^"]/
const DECIDED = `select status, count(*)::int as n from payout_request where status <> 'PENDING' group by 1`

/**
 * Compares the responses to members and staff with the database.
 * @returns the counts, and one sentence per difference
 */
export async function compare(load: Load, databaseUrl: string): Promise<{ figures: Comparison; problems: string[] }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: stored } = await client.query<StoredReply>('select operation, key, status, answer from idempotency')
  const { rows: moves } = await client.query<Moves>(MOVES)
  const { rows: decided } = await client.query<{ status: string; n: number }>(DECIDED)
  const { acknowledged, orders } = load
  const problems = [
    ...(await recordedIncidents(client)),
    ...(await depositDifferences(client, orders)),
    ...(await staffActionDifferences(client, acknowledged, load.verdicts)),
  ]
  await client.end()
  if (!orders.some((one) => one.isPaid)) problems.push('no payment arrived, so credits were not tested')
  const rows = new Map(stored.map((row) => [row.key, row]))
  const keys = new Set(acknowledged.map(({ call }) => call.key))
  const was = ({ name, call, status, text }: Acknowledged) => `${name} ${call.key} was answered ${status} ${text.slice(0, 120)}`
  // The server rejects invalid input before it claims a key.
  const lost = acknowledged.filter(({ call, status, text }) => !rows.has(call.key) && !(status === 400 && BAD_INPUT.test(text)))
  const changed = acknowledged.filter(({ name, call, status, text }) => {
    const row = rows.get(call.key)
    return row !== undefined && (row.operation !== name || row.status !== status || row.answer !== text)
  })
  const unrequested = stored.filter((row) => !keys.has(row.key))
  const differing = [...postingDifferences(acknowledged, moves), ...decisionDifferences(acknowledged, decided)]
  problems.push(
    ...lost.map((one) => `lost: ${was(one)}`),
    ...changed.map((one) => `changed: ${was(one)}`),
    ...unrequested.map((row) => `stored, but no client got the answer: ${row.operation} ${row.key} ${row.status}`),
    ...differing,
  )
  const decisions = acknowledged.filter(({ status, kind }) => status === 200 && kind === undefined).length
  if (decisions === 0) problems.push('staff decided nothing, so that nothing is known of decisions')
  const { again, otherwise } = await repeat(acknowledged)
  if (otherwise > 0) problems.push(`${otherwise} of ${again} calls that were sent again at the end were answered otherwise`)
  return {
    problems,
    figures: {
      answered: acknowledged.length,
      ordered: orders.filter(({ status }) => status === 200).length,
      paid: orders.filter((one) => one.isPaid).length,
      moved: acknowledged.filter(({ status, kind }) => status === 200 && kind !== undefined).length,
      decided: decisions,
      refused: acknowledged.filter(({ status }) => status !== 200).length,
      repeated: acknowledged.filter(({ sent }) => sent > 1).length,
      unknown: acknowledged.filter((one) => one.unknown).length,
      lost: lost.length,
      changed: changed.length,
      doubled: differing.length,
      unrequested: unrequested.length,
      again,
      againOtherwise: otherwise,
    },
  }
}

/** Returns the members and kinds with more or fewer postings than successful responses. */
function postingDifferences(acknowledged: readonly Acknowledged[], moves: readonly Moves[]): string[] {
  const kinds = new Set(moneyRoutes().map(({ kind }) => kind))
  const counts = new Map<string, { answered: number; stored: number }>()
  const count = (member: string | number, kind: string) => {
    const name = `${kind} of member ${member}`
    const found = counts.get(name) ?? { answered: 0, stored: 0 }
    counts.set(name, found)
    return found
  }
  for (const { member, kind, status } of acknowledged) if (status === 200 && kind !== undefined) count(member, kind).answered += 1
  for (const { member, kind, postings } of moves) if (kinds.has(kind)) count(member, kind).stored = postings
  return [...counts].flatMap(([name, { answered, stored }]) =>
    answered === stored ? [] : [`${name}: ${answered} were answered and ${stored} are in the ledger`],
  )
}

/** Returns the decisions that the database contains more or less often than staff received responses. */
function decisionDifferences(acknowledged: readonly Acknowledged[], decided: readonly { status: string; n: number }[]): string[] {
  const answered = {
    APPROVED: acknowledged.filter(({ name, status, text }) => name === 'approveRequest' && status === 200 && text.includes('"APPROVED"')),
    REJECTED: acknowledged.filter(({ name, status }) => name === 'rejectRequest' && status === 200),
  }
  return Object.entries(answered).flatMap(([outcome, { length }]) => {
    const stored = decided.find(({ status }) => status === outcome)?.n ?? 0
    return stored === length ? [] : [`${outcome}: ${length} were answered and ${stored} requests have this status`]
  })
}

/** Repeats a sample of the calls with the same keys, evenly from first to last. Each must get the earlier response. */
async function repeat(acknowledged: readonly Acknowledged[]): Promise<{ again: number; otherwise: number }> {
  const step = Math.max(1, Math.floor(acknowledged.length / REPEATED_CALLS))
  let [again, otherwise] = [0, 0]
  for (let index = acknowledged.length % step; index < acknowledged.length; index += step) {
    const one = acknowledged[index] as Acknowledged
    const reply = await send(one.call)
    again += 1
    if (reply?.status !== one.status || reply.text !== one.text) otherwise += 1
  }
  return { again, otherwise }
}
