import { sql } from 'kysely'
import { currentPause, openAccountsOf, post, postBulk, walletKinds } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { hashPassword } from '../auth/index.ts'
import { addImportedMembers } from '../members/index.ts'
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
  refusal: string | null
}

/**
 * Reads an import by its hash.
 * @throws AppError NOT_FOUND if no files with this hash are stored
 */
export async function readImport(db: Db, hash: string): Promise<ImportBatch> {
  const batch = await db
    .selectFrom('import_batch')
    .select(['hash', 'status', 'members', 'referrals', 'usd', 'coin', 'refusal'])
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
 * Applies the approved import: members, wallets and balances, all or nothing, in one transaction. An import whose addresses or codes
 * members of this platform have taken meanwhile is refused. During an emergency pause the import waits.
 * @returns the number of added members
 */
export async function applyImport(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>): Promise<number> {
  const batch = await tx.selectFrom('import_batch').selectAll().where('status', '=', 'APPROVED').limit(1).forUpdate().executeTakeFirst()
  if (batch === undefined || (await currentPause(tx)) !== undefined) return 0
  const at = deps.clock.now()
  const taken = await takenBy(tx, batch.id)
  const refusal = taken.length === 0 ? null : `${taken.length} email addresses or referral codes belong to members of this platform`
  const status = refusal === null ? 'DONE' : 'REFUSED'
  if (refusal === null) {
    await addMembers(tx, deps, batch.id, at)
    await postBalances(tx, batch, at)
  }
  await tx.deleteFrom('import_member').where('batch_id', '=', batch.id).execute()
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
