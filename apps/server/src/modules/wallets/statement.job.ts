import { BYTE_ORDER_MARK, writeCsv } from '@tizara/contract/csv'
import { fillText } from '@tizara/contract/response-texts'
import { formatUnits } from '@tizara/money'
import { mailLanguage } from '../../gateways/mailer/index.ts'
import { movementsBetween, walletKinds, walletId } from '../../ledger/index.ts'
import { type JobKind, JobError, type JobStep } from '../../jobs/background-job.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { memberById } from '../members/index.ts'
import { type MovingKind, walletLabel } from './receipts.ts'
import { monthRange, otherSide, type Part, partsOf, titleOf, unitOf } from './statement-month.ts'
import { PDF_MAX_ROWS, statementPdf, type StatementWallet } from './statement-pdf.ts'

/** The member's request: a UTC month such as `2026-01`, as CSV or PDF. */
export interface StatementInput {
  month: string
  format?: 'csv' | 'pdf' | undefined
}

interface Checkpoint {
  parts: Part[]
  /** The wallet in progress and its last written transfer. */
  wallet: number
  last: string
  rows: number
}

const STEP = 500
const HEADING = ['Wallet', 'Time (UTC)', 'Description', 'Amount', 'Balance after', 'Unit', 'Other side', 'Transfer']

/** Writes a member's month as a file: for each wallet opening balance, every movement and closing balance (RW-13). */
export const statementJob = (kinds: Readonly<Record<string, MovingKind>>): JobKind<StatementInput, Checkpoint> => ({
  name: 'own-statement',
  file: ({ month, format }) =>
    format === 'pdf'
      ? { name: `statement-${month}.pdf`, type: 'application/pdf' }
      : { name: `statement-${month}.csv`, type: 'text/csv; charset=utf-8' },
  read: async (db, deps, { ownerId, input, checkpoint }) => {
    const { since } = monthRange(input.month)
    if (since > deps.clock.now()) throw new JobError('This month has not started yet')
    const isPdf = input.format === 'pdf'
    if (checkpoint === undefined) return firstStep(await partsOf(db, ownerId, input.month), isPdf)
    if (isPdf) return pdfStep(db, deps, { kinds, ownerId, month: input.month, checkpoint })
    return nextStep(db, kinds, ownerId, checkpoint)
  },
})

const firstStep = (parts: Part[], isPdf: boolean): JobStep<Checkpoint> => ({
  done: 0,
  total: walletKinds.length,
  ...(isPdf ? {} : { write: BYTE_ORDER_MARK + writeCsv([HEADING, ...openingLine(parts, 0)]) }),
  next: { parts, wallet: 0, last: parts[0]?.after ?? '0', rows: 0 },
})

interface PdfJob {
  kinds: Readonly<Record<string, MovingKind>>
  ownerId: bigint
  month: string
  checkpoint: Checkpoint
}

/** Counts the movements wallet by wallet, to refuse too many before the layout. The last step writes all pages. */
async function pdfStep(db: Db, deps: Deps, { kinds, ownerId, month, checkpoint }: PdfJob): Promise<JobStep<Checkpoint>> {
  const { parts, wallet } = checkpoint
  const read = (index: number, limit: number) => movementsOf(db, ownerId, index, parts[index], limit)
  const counted = { total: walletKinds.length, done: wallet + 1 }
  const rows = checkpoint.rows + (await read(wallet, PDF_MAX_ROWS + 1)).length
  if (rows > PDF_MAX_ROWS) throw new JobError(fillText('More than {rows} movements: please choose the CSV file', { rows: PDF_MAX_ROWS }))
  if (wallet + 1 < parts.length) return { ...counted, next: { parts, wallet: wallet + 1, last: '', rows } }
  const wallets: StatementWallet[] = []
  for (const [index, part] of parts.entries()) {
    const kind = walletKinds[index]
    if (kind === undefined) continue
    const lines = (await read(index, PDF_MAX_ROWS)).map((row) => ({
      at: row.at,
      what: titleOf(kinds, row.kind),
      amount: row.amount,
      balanceAfter: row.balanceAfter,
      other: otherSide(row.other, ownerId),
      transfer: String(row.id),
    }))
    const balances = { opening: BigInt(part.opening), closing: BigInt(part.closing) }
    wallets.push({ label: walletLabel(kind), unit: unitOf(index), ...balances, lines })
  }
  const { name, email, language } = await memberOf(db, ownerId)
  const write = await statementPdf({
    brand: deps.config.brand,
    language: mailLanguage(deps.config, language),
    month,
    name,
    email,
    writtenAt: deps.clock.now(),
    wallets,
  })
  return { ...counted, write, result: { rows } }
}

function movementsOf(db: Db, ownerId: bigint, wallet: number, part: Part | undefined, limit: number) {
  const kind = walletKinds[wallet]
  if (part === undefined || kind === undefined) throw new Error('no such wallet')
  return movementsBetween(db, walletId(ownerId, kind), { after: BigInt(part.after), upTo: BigInt(part.upTo) }, limit)
}

async function memberOf(db: Db, ownerId: bigint) {
  const member = await memberById(db, ownerId)
  if (member === undefined) throw new Error('the member of the statement does not exist')
  return member
}

async function nextStep(
  db: Db,
  kinds: Readonly<Record<string, MovingKind>>,
  ownerId: bigint,
  checkpoint: Checkpoint,
): Promise<JobStep<Checkpoint>> {
  const { parts, wallet } = checkpoint
  const [part, kind] = [parts[wallet], walletKinds[wallet]]
  if (part === undefined || kind === undefined) throw new Error('no such wallet')
  const range = { after: BigInt(checkpoint.last), upTo: BigInt(part.upTo) }
  const found = await movementsBetween(db, walletId(ownerId, kind), range, STEP)
  const lines = found.map((row) => {
    const figures = [formatUnits(row.amount), formatUnits(row.balanceAfter), unitOf(wallet)]
    return [walletLabel(kind), row.at.toISOString(), titleOf(kinds, row.kind), ...figures, otherSide(row.other, ownerId), String(row.id)]
  })
  const rows = checkpoint.rows + lines.length
  const counted = { total: walletKinds.length, done: wallet }
  const last = found.at(-1)
  if (last !== undefined && found.length === STEP)
    return { ...counted, write: writeCsv(lines), next: { ...checkpoint, last: String(last.id), rows } }
  const closing = [walletLabel(kind), '', 'Closing balance', '', formatUnits(BigInt(part.closing)), unitOf(wallet), '', '']
  const write = writeCsv([...lines, closing, ...openingLine(parts, wallet + 1)])
  const after = parts[wallet + 1]?.after
  if (after === undefined) return { total: walletKinds.length, done: walletKinds.length, write, result: { rows } }
  return { ...counted, done: wallet + 1, write, next: { parts, wallet: wallet + 1, last: after, rows } }
}

function openingLine(parts: readonly Part[], wallet: number): string[][] {
  const [part, kind] = [parts[wallet], walletKinds[wallet]]
  return part === undefined || kind === undefined
    ? []
    : [[walletLabel(kind), '', 'Opening balance', '', formatUnits(BigInt(part.opening)), unitOf(wallet), '', '']]
}
