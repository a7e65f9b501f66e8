import { sql } from 'kysely'
import { currentPause, openAccountsOf, post, postBulk, walletKinds, walletSql } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { hashPassword } from '../auth/index.ts'
import { addImportedMembers } from '../members/index.ts'
import { firstImportedDue, MAX_UNPAID_DAYS, startSourceImport } from '../rewards/index.ts'
import { type ImportedStake, importStakes } from '../staking/index.ts'
import { takenBy } from './stage-import.ts'

/** Members that one statement adds. */
const ROWS = 2_000

/** A stored import. Amounts are units. */
export interface ImportBatch {
  hash: string
  status: string
  members: number
  referrals: number
  usd: bigint
  coin: bigint
  /** Rewards that the stakes have yet to pay, with the largest possible bounties. */
  promisedCoin: bigint
  refusal: string | null
}

/**
 * Reads an import by its hash.
 * @throws AppError NOT_FOUND if no files with this hash are stored
 */
export async function readImport(db: Db, hash: string): Promise<ImportBatch> {
  const batch = await db
    .selectFrom('import_batch')
    .select(['hash', 'status', 'members', 'referrals', 'usd', 'coin', 'promised_coin as promisedCoin', 'refusal'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (batch === undefined) throw new AppError('NOT_FOUND')
  return batch
}

/**
 * Approves a stored import. The job of the worker applies it.
 * @throws AppError NOT_FOUND if no files with this hash wait for approval
 */
export async function approveImport(tx: Tx, hash: string, at: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('import_batch')
    .set({ status: 'APPROVED', approved_at: at })
    .where('hash', '=', hash)
    .where('status', '=', 'STAGED')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new AppError('NOT_FOUND')
}

/**
 * Applies the approved import: members, wallets, balances and stakes, all or nothing, in one transaction. An import is refused if members
 * of this platform have taken its addresses or codes meanwhile, or if too many days of its stakes are unpaid. During an emergency pause the import waits.
 * @returns the number of added members
 */
export async function applyImport(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>): Promise<number> {
  const batch = await tx.selectFrom('import_batch').selectAll().where('status', '=', 'APPROVED').limit(1).forUpdate().executeTakeFirst()
  if (batch === undefined || (await currentPause(tx)) !== undefined) return 0
  const at = deps.clock.now()
  const refusal = await refusalOf(tx, batch.id, at)
  const status = refusal === null ? 'DONE' : 'REFUSED'
  if (refusal === null) {
    await addMembers(tx, deps, batch.id, at)
    await postBalances(tx, batch, at)
    await addStakes(tx, deps, batch, at)
  }
  for (const table of ['import_member', 'import_stake'] as const) await tx.deleteFrom(table).where('batch_id', '=', batch.id).execute()
  await tx.updateTable('import_batch').set({ status, ended_at: at, refusal }).where('id', '=', batch.id).execute()
  await recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'import.apply',
    subject: { type: 'import', id: batch.hash },
    outcome: 'ok',
    detail: { status, members: batch.members, usd: String(batch.usd), coin: String(batch.coin) },
  })
  return refusal === null ? batch.members : 0
}

async function refusalOf(tx: Tx, batchId: bigint, at: Date): Promise<string | null> {
  const taken = await takenBy(tx, batchId)
  if (taken.length > 0) return `${taken.length} email addresses or referral codes belong to members of this platform`
  const { rows } = await sql<{ late: number }>`select count(*)::int as late from import_stake
    where batch_id = ${batchId} and reward_step(false, started_at, paid_days + 1) < ${firstImportedDue(at)}`.execute(tx)
  const late = rows[0]?.late ?? 0
  return late === 0 ? null : `More than ${MAX_UNPAID_DAYS} days of ${late} stakes are unpaid. Pay them on the old platform and export again`
}

async function addMembers(tx: Tx, deps: Pick<Deps, 'ids'>, batchId: bigint, at: Date): Promise<void> {
  // Members without a usable hash get the hash of a password that nobody knows. A mailed link sets a new password.
  const unusable = await hashPassword(deps.ids.secret())
  for (let last = 0n; ;) {
    const rows = await tx
      .selectFrom('import_member')
      .select(['member_id', 'sponsor_id', 'public_id', 'email', 'name', 'phone', 'referral_code', 'joined_at', 'is_verified', 'is_active'])
      .select(['password_hash', 'rank', 'is_special'])
      .where('batch_id', '=', batchId)
      .where('member_id', '>', last)
      .orderBy('member_id')
      .limit(ROWS)
      .execute()
    if (rows.length === 0) return
    const members = rows.map(({ member_id, joined_at, is_special, password_hash, ...row }) => ({
      ...row,
      id: member_id,
      created_at: joined_at,
      is_special_rcm: is_special,
      password_hash: password_hash ?? unusable,
    }))
    await addImportedMembers(tx, members, at)
    await openAccountsOf(
      tx,
      members.map(({ id }) => id),
    )
    last = members.at(-1)?.id ?? last
  }
}

async function postBalances(tx: Tx, { id, hash, coin }: { id: bigint; hash: string; coin: bigint }, at: Date): Promise<void> {
  if (coin > 0n) {
    const transfer = { from: { system: 'SYS-COIN', asset: 'COIN' }, to: { system: 'SYS-IMPORT', asset: 'COIN' }, amount: coin } as const
    await post(tx, { kind: 'importStock', cause: { type: 'import_batch', id: hash }, at, transfers: [transfer] })
  }
  for (const to of walletKinds) {
    const { rows } = await sql<{ total: bigint }>`
      select coalesce(sum(amount), 0)::bigint as total from import_balance where batch_id = ${id} and wallet = ${to}`.execute(tx)
    const total = rows[0]?.total ?? 0n
    if (total === 0n) continue
    await postBulk(tx, {
      from: 'SYS-IMPORT',
      to,
      kind: 'importBalance',
      causeType: 'import_balance',
      at,
      total,
      source: sql`select member_id as owner_id, amount, id::text as cause_id, null::text as key
        from import_balance where batch_id = ${id} and wallet = ${to}`,
    })
  }
}

async function addStakes(tx: Tx, deps: Pick<Deps, 'ids'>, { id, hash }: { id: bigint; hash: string }, at: Date): Promise<void> {
  const sources = await startSourceImport(tx, at)
  for (let last = 0n; ;) {
    const { rows } = await sql<ImportedStake & { id: bigint }>`
      select s.id, s.member_id as "memberId", s.plan_id as "planId", s.wallet, s.amount, s.apy, s.duration_days as "durationDays",
        s.started_at as "startedAt", s.paid_days as "paidDays", t.id as "transferId"
      from (select * from import_stake where batch_id = ${id} and id > ${last} order by id limit ${ROWS}) s
      cross join lateral (select id from ledger_transfer where credit_account = ${sql.raw(walletSql('s.member_id', 'stakeWallet'))}
        and kind = 'importBalance') t
      order by s.id`.execute(tx)
    if (rows.length === 0) break
    await importStakes(tx, deps, at, sources, rows)
    last = rows.at(-1)?.id ?? last
  }
  await sources.finish(`Stakes of the import ${hash.slice(0, 12)}`)
}
