import { type RawBuilder, sql } from 'kysely'
import { currentPause, openAccountsOf, post, postBulk, walletKinds, walletSql } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { faultPoint } from '../../platform/runtime/fault-point.ts'
import { recordAudit } from '../audit/index.ts'
import { hashPassword, releaseAddresses } from '../auth/index.ts'
import { addImportedMembers, type ImportedMember, withoutAddress } from '../members/index.ts'
import { type ImportedNft, importNfts, takeSupply, unitsLeft } from '../nfts/index.ts'
import { coverageOf, firstImportedDue, MAX_UNPAID_DAYS, startSourceImport } from '../rewards/index.ts'
import { type ImportedStake, importStakes } from '../staking/index.ts'
import { ImportRejected } from './faults.ts'
import { changedTables, confirmApproved } from './import-mac.ts'
import { queueMails } from './import-mails.ts'
import { importProgress, type ProgressCounter } from './import-progress.ts'
import { compareTotals, parseTotals, writeTotals, writtenTotals } from './import-totals.ts'
import { takenCodes } from './stage-import.ts'

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
  /** The same of the NFTs. */
  promisedUsd: bigint
  /** Control sums of the old platform, as JSON. */
  totals: string
  stagedAt: Date
  approvedAt: Date | null
  endedAt: Date | null
  /** Starts of the import. */
  attempts: number
  refusal: string | null
  /** Public ids of members whose address an account has, when the files are stored and then when they are added, without it. */
  withoutAddress: string[]
}

/**
 * Reads an import by its hash.
 * @throws AppError NOT_FOUND if no files with this hash are stored
 */
export async function readImport(db: Db, hash: string): Promise<ImportBatch> {
  const batch = await db
    .selectFrom('import_batch')
    .select([
      'hash',
      'status',
      'members',
      'referrals',
      'usd',
      'coin',
      'promised_coin as promisedCoin',
      'promised_usd as promisedUsd',
      'totals',
      'staged_at as stagedAt',
      'approved_at as approvedAt',
      'ended_at as endedAt',
      'attempts',
      'refusal',
      'without_address as withoutAddress',
    ])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (batch === undefined) throw new AppError('NOT_FOUND')
  return batch
}

/**
 * Approves a stored import. The time does not grow with its rows: the job of the worker compares them with their MAC, and applies them.
 * @throws AppError NOT_FOUND if no files with this hash wait for approval, IMPORT_CHANGED if its sums changed after the check
 */
export async function approveImport(tx: Tx, { clock, config }: Pick<Deps, 'clock' | 'config'>, hash: string): Promise<void> {
  const batch = await tx
    .updateTable('import_batch')
    .set({ status: 'APPROVED', approved_at: clock.now() })
    .where('hash', '=', hash)
    .where('status', '=', 'STAGED')
    .returning(['id', 'mac'])
    .executeTakeFirst()
  if (batch === undefined) throw new AppError('NOT_FOUND')
  if (!(await confirmApproved(tx, config, batch))) throw new AppError('IMPORT_CHANGED', { tables: 'import_batch' })
  faultPoint('import_step')
}

/** Locks an approved import, unless an emergency pause delays it. */
async function approvedBatch(tx: Tx, id: bigint) {
  const approved = tx.selectFrom('import_batch').selectAll().where('id', '=', id).where('status', '=', 'APPROVED').forUpdate()
  const batch = await approved.executeTakeFirst()
  return batch === undefined || (await currentPause(tx)) !== undefined ? undefined : batch
}

/** Records that the worker starts an approved import, so that its progress can be shown. Returns its id, or undefined if there is none. */
export async function startImport(tx: Tx): Promise<bigint | undefined> {
  const first = await tx.selectFrom('import_batch').select('id').where('status', '=', 'APPROVED').orderBy('id').limit(1).executeTakeFirst()
  const batch = first === undefined ? undefined : await approvedBatch(tx, first.id)
  if (batch === undefined) return undefined
  await sql`update import_batch set attempts = attempts + 1, progress_from = nextval('import_progress') where id = ${batch.id}`.execute(tx)
  return batch.id
}

/**
 * Applies an approved import: members, wallets, balances and stakes, all or nothing, in one transaction. During an emergency pause the
 * import waits.
 * @returns the number of added members
 * @throws ImportRejected if its rows changed since the check, a code is taken by now, too many days of its stakes are unpaid, or the
 *   added rows differ from the control sums
 */
export async function applyImport(tx: Tx, deps: Pick<Deps, 'clock' | 'ids' | 'config'>, id: bigint): Promise<number> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(
    tx,
  )
  const batch = await approvedBatch(tx, id)
  if (batch === undefined) return 0
  const at = deps.clock.now()
  // Nobody changes the rows between the comparison with the MAC and their use. Members keep reading.
  await sql`lock table import_member, import_balance, import_stake, import_nft in share row exclusive mode`.execute(tx)
  const changed = await changedTables(tx, deps.config, batch)
  if (changed.length > 0) throw new ImportRejected(`Rows of ${changed.join(', ')} changed after the check. Propose the files again`)
  await assertApplicable(tx, batch.id, at)
  const progress = importProgress(tx)
  await progress.step()
  const without_address = await addMembers(tx, deps, batch.id, { at, progress })
  await postBalances(tx, batch, { at, progress })
  const raised = await addSources(tx, deps, batch, { at, progress })
  await progress.step()
  const written = await writtenTotals(tx, batch.id)
  const different = compareTotals(parseTotals(batch.totals), written).filter(({ expected, found }) => expected !== found)
  if (different.length > 0)
    throw new ImportRejected(
      `The added rows differ from the control sums: ${different
        .slice(0, 5)
        .map(({ key, expected, found }) => `${key} ${found} instead of ${expected}`)
        .join(', ')}`,
    )
  await queueMails(tx, batch.id)
  const sums = { written: writeTotals(written), raised_coin: raised.coin, raised_usd: raised.usd, without_address }
  await tx.updateTable('import_batch').set(sums).where('id', '=', batch.id).execute()
  await endImport(tx, { ...batch, without_address }, { at, refusal: null })
  faultPoint('import_step')
  return batch.members
}

/** Ends an import that {@link applyImport} refused, in a transaction of its own. Deletes its rows. */
export async function rejectImport(tx: Tx, deps: Pick<Deps, 'clock'>, { id, refusal }: { id: bigint; refusal: string }): Promise<void> {
  const batch = await approvedBatch(tx, id)
  if (batch !== undefined) await refuse(tx, batch, { at: deps.clock.now(), refusal })
}

/**
 * Refuses the approved imports of a restored backup, and stops the mails of the applied ones. After the backup, members may have been
 * imported, erased and mailed. Stored imports stay, because a second admin has yet to approve them.
 * @returns the numbers of refused imports, and of imports whose mails stopped
 */
export async function endRestoredImports(tx: Tx, at: Date): Promise<{ refused: number; mailsStopped: number }> {
  const approved = await tx.selectFrom('import_batch').selectAll().where('status', '=', 'APPROVED').execute()
  for (const batch of approved) await refuse(tx, batch, { at, refusal: 'The platform was restored from a backup. Propose the files again' })
  const mailing = tx.updateTable('import_batch').set({ mails_per_hour: null }).where('mails_per_hour', 'is not', null)
  const { numUpdatedRows } = await mailing.executeTakeFirstOrThrow()
  return { refused: approved.length, mailsStopped: Number(numUpdatedRows) }
}

async function refuse(tx: Tx, batch: EndedBatch, end: { at: Date; refusal: string }): Promise<void> {
  await tx.deleteFrom('import_history').where('batch_id', '=', batch.id).execute()
  await endImport(tx, batch, end)
}

/** Facts of an import that its audit entry contains. */
interface EndedBatch {
  id: bigint
  hash: string
  members: number
  usd: bigint
  coin: bigint
  without_address: string[]
}

async function endImport(tx: Tx, batch: EndedBatch, { at, refusal }: { at: Date; refusal: string | null }): Promise<void> {
  const status = refusal === null ? 'DONE' : 'REFUSED'
  for (const table of ['import_member', 'import_stake', 'import_nft'] as const)
    await tx.deleteFrom(table).where('batch_id', '=', batch.id).execute()
  await tx.updateTable('import_batch').set({ status, ended_at: at, refusal }).where('id', '=', batch.id).execute()
  await recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'import.apply',
    subject: { type: 'import', id: batch.hash },
    outcome: 'ok',
    detail: {
      status,
      members: batch.members,
      usd: String(batch.usd),
      coin: String(batch.coin),
      withoutAddress: batch.without_address.length,
    },
  })
}

async function assertApplicable(tx: Tx, batchId: bigint, at: Date): Promise<void> {
  const taken = await takenCodes(tx, batchId)
  if (taken.length > 0) throw new ImportRejected(`${taken.length} referral codes belong to members of this platform`)
  const { rows } = await sql<{ late: number }>`select count(*)::int as late from (
      select reward_step(false, started_at, paid_days + 1) as due from import_stake where batch_id = ${batchId}
      union all select reward_step(true, bought_at, paid_months + 1) from import_nft where batch_id = ${batchId}) open
    where due < ${firstImportedDue(at)}`.execute(tx)
  const late = rows[0]?.late ?? 0
  if (late > 0)
    throw new ImportRejected(
      `Rewards of ${late} stakes or NFTs were due more than ${MAX_UNPAID_DAYS} days ago. Pay them on the old platform and export again`,
    )
  const left = await unitsLeft(tx)
  const wanted = await sql<{ kind: string; count: number }>`
    select n.kind, count(*)::int as count from import_nft i join nft n on n.id = i.nft_id where i.batch_id = ${batchId} group by 1`.execute(
    tx,
  )
  const scarce = wanted.rows.find(({ kind, count }) => count > (left.get(kind) ?? 0))
  if (scarce !== undefined)
    throw new ImportRejected(`Fewer NFTs of the kind ${scarce.kind} are left than the ${scarce.count} of the import`)
}

/** Time and progress of an import. */
interface Running {
  at: Date
  progress: ProgressCounter
}

/** Adds members with their wallets. Returns the public ids of those whose address an account has. */
async function addMembers(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, batchId: bigint, { at, progress }: Running): Promise<string[]> {
  // Members without a usable hash get the hash of a password that nobody knows. A mailed link sets a new password.
  const unusable = await hashPassword(deps.ids.secret())
  const withheld: string[] = []
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
    if (rows.length === 0) return withheld
    const members = rows.map(({ member_id, joined_at, is_special, password_hash, ...row }) => ({
      ...row,
      id: member_id,
      created_at: joined_at,
      is_special_rcm: is_special,
      password_hash: password_hash ?? unusable,
    }))
    withheld.push(...(await addWithAddresses(tx, deps, { members, unusable, at })))
    await openAccountsOf(
      tx,
      members.map(({ id }) => id),
    )
    await progress.add(rows.length)
    last = members.at(-1)?.id ?? last
  }
}

/**
 * Adds members. An unfinished registration loses its address to them; an account keeps it, and the member is added without one. Repeats
 * this if an address is registered meanwhile.
 * @returns the public ids of the members without their address
 */
async function addWithAddresses(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  { members, unusable, at }: { members: readonly ImportedMember[]; unusable: string; at: Date },
): Promise<string[]> {
  for (;;) {
    const kept = await releaseAddresses(
      tx,
      deps,
      members.map(({ email }) => email),
    )
    const isKept = ({ email }: ImportedMember) => kept.has(email)
    const added = members.map((member) => (isKept(member) ? withoutAddress(member, unusable) : member))
    if (await addImportedMembers(tx, added, at)) return members.filter(isKept).map(({ public_id }) => public_id)
  }
}

async function postBalances(
  tx: Tx,
  { id, hash, coin }: { id: bigint; hash: string; coin: bigint },
  { at, progress }: Running,
): Promise<void> {
  if (coin > 0n) {
    const transfer = { from: { system: 'SYS-COIN', asset: 'COIN' }, to: { system: 'SYS-IMPORT', asset: 'COIN' }, amount: coin } as const
    await post(tx, { kind: 'importStock', cause: { type: 'import_batch', id: hash }, at, transfers: [transfer] })
  }
  for (const to of walletKinds) {
    const { rows } = await sql<{ total: bigint; count: number }>`
      select coalesce(sum(amount), 0)::bigint as total, count(*)::int as count from import_balance where batch_id = ${id} and wallet = ${to}`.execute(
      tx,
    )
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
    await progress.add(rows[0]?.count ?? 0)
  }
}

/** Adds stakes and NFTs with their liabilities. Returns the units by which they raised the commitment. The coverage and the supply, which sales wait for, are locked last. */
async function addSources(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { id, hash }: { id: bigint; hash: string },
  { at, progress }: Running,
): Promise<{ coin: bigint; usd: bigint }> {
  const committed = async () => ({ coin: (await coverageOf(tx, 'COIN')).committed, usd: (await coverageOf(tx, 'USD')).committed })
  const before = await committed()
  const sources = await startSourceImport(tx, at)
  // The planner has no statistics of this transaction's rows. `limit 1` makes it look up each stake's transfer instead of joining each page
  // with all transfers, and the expression keeps it off the index of kinds.
  await inPages(
    tx,
    (last) => sql<ImportedStake & { id: bigint }>`
      select s.id, s.member_id as "memberId", s.plan_id as "planId", s.wallet, s.amount, s.apy, s.duration_days as "durationDays",
        s.started_at as "startedAt", s.paid_days as "paidDays", t.id as "transferId"
      from (select * from import_stake where batch_id = ${id} and id > ${last} order by id limit ${ROWS}) s
      cross join lateral (select id from ledger_transfer where credit_account = ${sql.raw(walletSql('s.member_id', 'stakeWallet'))}
        and kind || '' = 'importBalance' order by id limit 1) t
      order by s.id`,
    async (stakes) => {
      await importStakes(tx, deps, at, sources, stakes)
      await progress.add(stakes.length)
    },
  )
  const kinds: string[] = []
  await inPages(
    tx,
    (last) => sql<ImportedNft & { id: bigint }>`
      select id, member_id as "memberId", nft_id as "nftId", price, percent, months, bought_at as "boughtAt", paid_months as "paidMonths"
      from import_nft where batch_id = ${id} and id > ${last} order by id limit ${ROWS}`,
    async (nfts) => {
      kinds.push(...(await importNfts(tx, deps, at, sources, nfts)))
      await progress.add(nfts.length)
    },
  )
  await sources.finish(`Rewards of the import ${hash.slice(0, 12)}`)
  if (kinds.length > 0) await takeSupply(tx, kinds)
  const after = await committed()
  return { coin: after.coin - before.coin, usd: after.usd - before.usd }
}

/** Reads rows in the order of their ids, some thousand at a time. */
async function inPages<Row extends { id: bigint }>(
  tx: Tx,
  query: (last: bigint) => RawBuilder<Row>,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  for (let last = 0n; ;) {
    const { rows } = await query(last).execute(tx)
    if (rows.length === 0) return
    await work(rows)
    last = rows.at(-1)?.id ?? last
  }
}
