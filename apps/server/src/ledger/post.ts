import { CompiledQuery } from 'kysely'
import { AppError, forEachOk } from '../platform/runtime/app-error.ts'
import { type Db, executeDeferred, type Tx } from '../platform/db/database.ts'
import { type AccountRef, accountOf, type Asset, shardsOf, systemAccountId, type SystemKind, walletId } from './chart-of-accounts.ts'
import { type Cause, isRejected, orError, type Posted, type Posting, rejectionError, rejectionFor, type Rejection } from './posting.ts'
import type { TransferKindName } from './transfer-kinds.ts'
import { pauseReason, isBlockedByPause } from './stop.ts'

/** A posting with account numbers, as the database function takes it. */
export interface ResolvedPosting {
  kind: TransferKindName
  cause: Cause
  at: Date
  ruleVersion?: number | undefined
  key?: string | undefined
  /** True if the transfer places a hold. */
  pending?: boolean | undefined
  /** The hold ended by the transfer. */
  resolves?: bigint | undefined
  transfers: readonly {
    debit: bigint
    credit: bigint
    amount: bigint
    kind?: TransferKindName | undefined
    newMoney?: bigint | undefined
  }[]
}

/**
 * Posts linked transfers, all or none.
 * @param tx the use case's transaction; a plain `Db` uses a separate one
 * @returns ids and balances after; for a repeated key, the first result
 * @throws AppError INSUFFICIENT_BALANCE for a member's wallet, COIN_SOLD_OUT for the coin stock, NOT_COVERED for the reward budget,
 * IDEMPOTENCY_KEY_REUSED for a key of another posting, BUSY while other transactions lock the needed shards of a system account
 * @throws RangeError or Error for an invalid posting: amount not above 0, an account twice, mixed assets, an unknown account
 */
export async function post(tx: Db, posting: Posting): Promise<Posted> {
  const result = firstOf(await postBatch(tx, [posting]))
  if (isRejected(result)) throw rejectionError(result)
  return result
}

/**
 * Posts many independent postings in one call. A posting is applied completely or not at all; a refused posting does not affect the others.
 * The postings are applied in order, so that a posting can spend the amount of an earlier one.
 * @returns one result per posting, in order
 */
export async function postBatch(tx: Db, postings: readonly Posting[]): Promise<(Posted | Rejection)[]> {
  return postLocking(tx, postings, [])
}

/** Posts like `postBatch`, and first locks `alsoLocked` together with the accounts of the postings. */
async function postLocking(tx: Db, postings: readonly Posting[], alsoLocked: readonly bigint[]): Promise<(Posted | Rejection)[]> {
  const spread = shardOf(postings.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to])))
  return postResolved(
    tx,
    postings.map((posting) => number(posting, spread)),
    alsoLocked,
  )
}

/**
 * Picks one shard of each system account per batch, keyed by the first member, to avoid contention. A batch then writes
 * one row instead of up to all shards.
 */
export function shardOf(accounts: readonly AccountRef[]): bigint {
  const first = accounts.find((account) => 'owner' in account)
  return first === undefined ? 0n : first.owner
}

/**
 * Posts like `postBatch`, for use cases that have already refused some calls.
 * @returns one result per call, in order: posted, or a refusal without any effect
 */
export async function postEach(tx: Db, inputs: readonly (Posting | AppError)[]): Promise<(Posted | AppError)[]> {
  return forEachOk(inputs, async (postings) => (await postBatch(tx, postings)).map(orError))
}

/**
 * Posts like `postEach`, for postings that debit a system account with little balance. If other transactions lock some of the account's
 * shards, the function waits for all shards and posts again. A posting is therefore refused only if the account does not hold the amount.
 */
export async function postEachInTurn(
  tx: Tx,
  inputs: readonly (Posting | AppError)[],
  { system, asset }: { system: SystemKind; asset: Asset },
): Promise<(Posted | AppError)[]> {
  await executeDeferred(tx, 'savepoint turn', [])
  const posted = await postEach(tx, inputs)
  if (!posted.some((one) => one instanceof AppError && one.code === 'BUSY')) return posted
  await executeDeferred(tx, 'rollback to savepoint turn', [])
  return forEachOk(inputs, async (postings) => (await postLocking(tx, postings, shardsOf(system, asset))).map(orError))
}

/** Returns the account id of one side of a transfer: the wallet, or the batch's shard of a system account. */
export function accountIdOf(account: AccountRef, spread: bigint): bigint {
  return 'system' in account ? systemAccountId(account.system, account.asset, spread) : walletId(account.owner, account.kind)
}

/** Returns the first item of a non-empty list. */
export function firstOf<T>(list: readonly T[]): T {
  const first = list[0]
  if (first === undefined) throw new Error('expected at least one result')
  return first
}

function number(posting: Posting, spread: bigint): ResolvedPosting {
  return {
    ...posting,
    transfers: posting.transfers.map(({ from, to, amount, kind, newMoney }) => ({
      debit: accountIdOf(from, spread),
      credit: accountIdOf(to, spread),
      amount,
      kind,
      newMoney,
    })),
  }
}

interface ResultRow {
  posting: number
  outcome: 'posted' | 'repeated' | 'short' | 'busy' | 'key_reused'
  posting_id: bigint | null
  transfer_id: bigint | null
  debit_after: bigint | null
  credit_after: bigint | null
  account: bigint | null
  new_money: bigint | null
}

/** Posts like `postBatch`, for ledger code with known account numbers. */
export async function postResolved(
  tx: Db,
  postings: readonly ResolvedPosting[],
  alsoLocked: readonly bigint[] = [],
): Promise<(Posted | Rejection)[]> {
  if (postings.length === 0) return []
  const stops = postings.map((posting) => posting.kind === 'reversal' || posting.transfers.some(isBlockedByPause))
  const why = stops.includes(true) ? await pauseReason(tx) : undefined
  if (why === undefined) return postAllowed(tx, postings, alsoLocked)
  const posted = await postAllowed(
    tx,
    postings.filter((_, index) => stops[index] !== true),
    alsoLocked,
  )
  return stops.map((stopped) =>
    stopped ? { refused: 'STOPPED', account: null, why } : (posted.shift() ?? { refused: 'BUSY', account: null }),
  )
}

async function postAllowed(tx: Db, postings: readonly ResolvedPosting[], alsoLocked: readonly bigint[]): Promise<(Posted | Rejection)[]> {
  if (postings.length === 0) return []
  const { distinct, firstUse } = withoutRepeats(postings)
  const single = distinct.length === 1 ? distinct[0] : undefined
  const isSimple = single !== undefined && isPlain(single) && alsoLocked.length === 0
  const rows = isSimple ? await callSingle(tx, single) : await callBatch(tx, distinct, alsoLocked)
  const results = readResults(rows, distinct.length)
  return postings.map((_, index) => {
    const use = firstUse[index] ?? 0
    if (use === KEY_REUSED) return { refused: 'IDEMPOTENCY_KEY_REUSED', account: null }
    const result = results[use]
    if (result === undefined) throw new Error(`posting ${index} got no result`)
    return !isRejected(result) && firstUse.indexOf(use) !== index ? { ...result, repeated: true } : result
  })
}

/** Marks a posting with the key of another posting in the batch, but with other content. */
const KEY_REUSED = -1

/** Posts a key that occurs twice in a batch only once. The second posting gets the result of the first. */
function withoutRepeats(postings: readonly ResolvedPosting[]) {
  const byKey = new Map<string, number>()
  const distinct: ResolvedPosting[] = []
  const firstUse = postings.map((posting) => {
    const known = posting.key === undefined ? undefined : byKey.get(posting.key)
    if (known !== undefined) return shapeOf(distinct[known]) === shapeOf(posting) ? known : KEY_REUSED
    if (posting.key !== undefined) byKey.set(posting.key, distinct.length)
    return distinct.push(posting) - 1
  })
  return { distinct, firstUse }
}

/** Identifies equal postings by amounts and accounts. The shard of a system account does not matter (`ledger_party`). */
function shapeOf(posting: ResolvedPosting | undefined): string {
  const party = (account: bigint) => (account > 0n ? account : account / 100n)
  return (posting?.transfers ?? []).map(({ debit, credit, amount }) => `${party(debit)} ${party(credit)} ${amount}`).join()
}

function isPlain(posting: ResolvedPosting): boolean {
  return (
    posting.transfers.length === 1 &&
    posting.transfers[0]?.newMoney === undefined &&
    posting.key === undefined &&
    posting.pending !== true &&
    posting.resolves === undefined
  )
}

async function callSingle(tx: Db, posting: ResolvedPosting): Promise<ResultRow[]> {
  const transfer = firstOf(posting.transfers)
  check(transfer)
  const values = [
    transfer.debit,
    transfer.credit,
    transfer.amount,
    transfer.kind ?? posting.kind,
    posting.cause.type,
    posting.cause.id,
    posting.ruleVersion ?? null,
    posting.at,
  ]
  return call(tx, POST_ONE, values)
}

async function callBatch(tx: Db, postings: readonly ResolvedPosting[], alsoLocked: readonly bigint[]): Promise<ResultRow[]> {
  const transfers = postings.flatMap((posting, index) =>
    posting.transfers.map((transfer) => ({ ...transfer, posting: index + 1, kind: transfer.kind ?? posting.kind })),
  )
  transfers.forEach(check)
  if (postings.some((posting) => posting.transfers.length === 0)) throw new RangeError('a posting needs a transfer')
  const used = transfers.flatMap(({ debit, credit }) => [debit, credit])
  const accounts = [...new Set([...used, ...alsoLocked])].toSorted((a, b) => (a < b ? -1 : 1))
  const indexes = new Map(accounts.map((account, index) => [account, index + 1]))
  const renewed = transfers.some((transfer) => transfer.newMoney !== undefined)
  const keyed = postings.some((posting) => posting.key !== undefined)
  return call(tx, POST_MANY, [
    accounts,
    transfers.map((transfer) => transfer.posting),
    transfers.map((transfer) => indexes.get(transfer.debit)),
    transfers.map((transfer) => indexes.get(transfer.credit)),
    transfers.map((transfer) => transfer.amount),
    transfers.map((transfer) => transfer.kind),
    renewed ? transfers.map((transfer) => transfer.newMoney ?? null) : null,
    postings.map((posting) => posting.cause.type),
    postings.map((posting) => posting.cause.id),
    postings.map((posting) => posting.ruleVersion ?? null),
    postings.map((posting) => posting.at),
    keyed ? postings.map((posting) => posting.key ?? null) : null,
    postings.map((posting) => posting.pending === true),
    postings.map((posting) => posting.resolves ?? null),
  ])
}

// Texts of the queries. They are constant, because compiling a query for each call would cost as much as sending the query.
const POST_ONE = 'select * from ledger_post_one($1, $2, $3, $4, $5, $6, $7, $8)'
const POST_MANY = 'select * from ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)'

async function call(tx: Db, text: string, values: readonly unknown[]): Promise<ResultRow[]> {
  const called = await tx.executeQuery<ResultRow>(CompiledQuery.raw(text, [...values]))
  return called.rows
}

function check(transfer: { debit: bigint; credit: bigint; amount: bigint }): void {
  if (transfer.amount <= 0n) throw new RangeError(`a transfer moves an amount above 0, not ${transfer.amount}`)
  if (transfer.debit === transfer.credit) throw new RangeError(`a transfer needs two accounts, not ${transfer.debit} twice`)
}

function readResults(rows: readonly ResultRow[], count: number): (Posted | Rejection | undefined)[] {
  const results = Array.from<Posted | Rejection | undefined>({ length: count })
  for (const row of rows) {
    const index = row.posting - 1
    const known = results[index]
    if (row.outcome === 'posted' || row.outcome === 'repeated') {
      const balances = { fromBalance: row.debit_after ?? 0n, toBalance: row.credit_after ?? 0n }
      const transfer = { id: row.transfer_id ?? 0n, ...balances, newMoney: row.new_money ?? 0n }
      if (known !== undefined && !isRejected(known)) known.transfers.push(transfer)
      else results[index] = { postingId: row.posting_id ?? 0n, transfers: [transfer], repeated: row.outcome === 'repeated' }
    } else {
      results[index] = rejectionOf(row)
    }
  }
  return results
}

function rejectionOf(row: ResultRow): Rejection {
  if (row.outcome === 'key_reused') return { refused: 'IDEMPOTENCY_KEY_REUSED', account: null }
  const account = row.account === null ? null : accountOf(row.account)
  if (row.outcome === 'busy' || account === null) return { refused: 'BUSY', account }
  return rejectionFor(account, row.debit_after)
}
