import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import { formatUnits } from '@tizara/money'
import { cutOf, knownAccount, lastBefore, movementsBetween, NO_END, walletKinds, walletNumber } from '../../ledger/index.ts'
import { type JobKind, JobRefused, type JobStep } from '../../jobs/background-job.ts'
import type { Db } from '../../platform/database.ts'
import { idsOfTime } from './ids-of-time.ts'
import { type MovingKind, houseLabel, walletLabel } from './receipts.ts'

/** What the member asked for: a UTC month such as `2026-01`. */
export interface StatementWish {
  month: string
}

/** What one wallet's part of the statement covers, ids as text. */
interface Part {
  after: string
  upTo: string
  opening: string
  closing: string
}
interface Place {
  parts: Part[]
  /** Which wallet is being written, and the last transfer of it that was. */
  wallet: number
  last: string
  rows: number
}

const STEP = 500
const HEADING = ['Wallet', 'Time (UTC)', 'What', 'Amount', 'Balance after', 'Unit', 'Other side', 'Transfer']

/** The start of a month and of the one after it. */
function monthRange(month: string): { since: Date; until: Date } {
  const [year = 0, place = 0] = month.split('-').map(Number)
  return { since: new Date(Date.UTC(year, place - 1, 1)), until: new Date(Date.UTC(year, place, 1)) }
}

/**
 * Writes a member's month as a CSV file: wallet by wallet the opening balance, every movement, the closing balance. The next
 * month opens with what this one closes with, and both are what the ledger says (RW-13).
 */
export const statementJob = (kinds: Readonly<Record<string, MovingKind>>): JobKind<StatementWish, Place> => ({
  name: 'own-statement',
  file: ({ month }) => ({ name: `statement-${month}.csv`, type: 'text/csv; charset=utf-8' }),
  step: async (tx, deps, { ownerId, input, place }) => {
    const { since, until } = monthRange(input.month)
    if (since > deps.clock.now()) throw new JobRefused('This month has not begun yet')
    if (place === undefined) return firstStep(await partsOf(tx, ownerId, since, until))
    return nextStep(tx, kinds, ownerId, place)
  },
})

const firstStep = (parts: Part[]): JobStep<Place> => ({
  done: 0,
  total: walletKinds.length,
  write: BYTE_ORDER_MARK + writeCsv([HEADING, ...openingLine(parts, 0)]),
  next: { parts, wallet: 0, last: parts[0]?.after ?? '0', rows: 0 },
})

async function nextStep(db: Db, kinds: Readonly<Record<string, MovingKind>>, ownerId: bigint, place: Place): Promise<JobStep<Place>> {
  const { parts, wallet } = place
  const [part, kind] = [parts[wallet], walletKinds[wallet]]
  if (part === undefined || kind === undefined) throw new Error('no such wallet')
  const range = { after: BigInt(place.last), upTo: BigInt(part.upTo) }
  const found = await movementsBetween(db, walletNumber(ownerId, kind), range, STEP)
  const lines = found.map((row) => {
    const figures = [formatUnits(row.amount), formatUnits(row.balanceAfter), unitOf(wallet)]
    const title = kinds[row.kind]?.receipt?.title ?? words(row.kind)
    return [walletLabel(kind), row.at.toISOString(), title, ...figures, otherSide(row.other, ownerId), String(row.id)]
  })
  const rows = place.rows + lines.length
  const counted = { total: walletKinds.length, done: wallet }
  const last = found.at(-1)
  if (last !== undefined && found.length === STEP)
    return { ...counted, write: writeCsv(lines), next: { ...place, last: String(last.id), rows } }
  const closing = [walletLabel(kind), '', 'Closing balance', '', part.closing, unitOf(wallet), '', '']
  const write = writeCsv([...lines, closing, ...openingLine(parts, wallet + 1)])
  const after = parts[wallet + 1]?.after
  if (after === undefined) return { total: walletKinds.length, done: walletKinds.length, write, result: { rows } }
  return { ...counted, done: wallet + 1, write, next: { parts, wallet: wallet + 1, last: after, rows } }
}

function openingLine(parts: readonly Part[], wallet: number): string[][] {
  const [part, kind] = [parts[wallet], walletKinds[wallet]]
  return part === undefined || kind === undefined
    ? []
    : [[walletLabel(kind), '', 'Opening balance', '', part.opening, unitOf(wallet), '', '']]
}

/** What the month is of each wallet, as it stands now: what comes in later does not change a statement that is being written. */
function partsOf(db: Db, ownerId: bigint, since: Date, until: Date): Promise<Part[]> {
  return Promise.all(
    walletKinds.map(async (kind) => {
      const account = walletNumber(ownerId, kind)
      const cut = async (at: Date) => cutOf(db, account, at, (await idsOfTime(db, at, undefined)).afterId ?? 0n)
      const [from, to] = [await cut(since), await cut(until)]
      const [opening, closing] = [await lastBefore(db, account, from), await lastBefore(db, account, to)]
      return {
        after: String(from === NO_END ? (closing?.id ?? 0n) : from - 1n),
        upTo: String(closing?.id ?? 0n),
        opening: formatUnits(opening?.balance ?? 0n),
        closing: formatUnits(closing?.balance ?? 0n),
      }
    }),
  )
}

const unitOf = (wallet: number): string => (['depositWallet', 'nftWallet'].includes(walletKinds[wallet] ?? '') ? 'USD' : 'coin')

const words = (kind: string): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Other members stay unnamed: a file leaves the house. */
function otherSide(number: bigint, ownerId: bigint): string {
  const account = knownAccount(number)
  if (account === undefined) return ''
  if ('house' in account) return houseLabel(account.house)
  return account.owner === ownerId ? walletLabel(account.kind) : 'Another member'
}
