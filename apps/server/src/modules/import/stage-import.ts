import { dailyReward, monthlyReward } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { faultPoint } from '../../platform/runtime/fault-point.ts'
import { isUnfinished, reserveMemberIds } from '../members/index.ts'
import { nftsByName, unitsLeft } from '../nfts/index.ts'
import { bountyAt, currentProgramme } from '../rewards/index.ts'
import { plansByName } from '../staking/index.ts'
import { type CheckedImport, checkImport, sumsByAsset } from './check-import.ts'
import { membersFile, nftsFile, stakesFile, standingFile } from './files.rules.ts'
import { writeTotals } from './import-totals.ts'
import { confirmStaged } from './import-mac.ts'
import { type Fault, ImportRejected, MAX_LISTED_FAULTS } from './faults.ts'

/** Rows that one statement inserts. */
const ROWS = 2_000

/** Buffers rows, and inserts them in statements of {@link ROWS}. */
function buffered<Row>(insert: (rows: Row[]) => Promise<unknown>) {
  let rows: Row[] = []
  const flush = async () => {
    if (rows.length > 0) {
      await insert(rows)
      faultPoint('import_step')
    }
    rows = []
  }
  const add = async (row: Row) => {
    rows.push(row)
    if (rows.length >= ROWS) await flush()
  }
  return { add, flush }
}

/** Checked files. `taken` lists the lines of members whose address an account has: they are added without it. */
export type StagedImport = CheckedImport & { taken: number[] }

/**
 * Checks the files of an import and stores their rows, for the approval by a second person. Drops stored files that nobody approved.
 * Files that were approved before are a fault.
 * @param tx the caller must roll it back if the result has faults
 * @throws ImportRejected if other files are being stored
 */
export async function stageImport(tx: Tx, deps: Pick<Deps, 'clock' | 'ids' | 'config'>, folder: string): Promise<StagedImport> {
  const now = deps.clock.now()
  const { rows: locks } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('stored import', 0)) as free`.execute(tx)
  if (locks[0]?.free !== true) throw new ImportRejected('Someone is proposing other files. Try again when their command has ended')
  await tx.deleteFrom('import_batch').where('status', 'in', ['STAGED', 'REFUSED']).execute()
  const empty = {
    hash: '0'.repeat(64),
    status: 'STAGED',
    members: 0,
    referrals: 0,
    usd: 0n,
    coin: 0n,
    promised_coin: 0n,
    promised_usd: 0n,
    staged_at: now,
  }
  const batch = await tx.insertInto('import_batch').values(empty).returning('id').executeTakeFirstOrThrow()
  const ranks = new Set((await currentProgramme(tx, now)).ranks.map(({ rank }) => rank))
  const [plans, catalogue, bountyOf] = [await plansByName(tx, now), await nftsByName(tx, now), await bountyAt(tx, now)]
  const unknown: Fault[] = []
  /** Keeps a fault that only the database shows, after those of the files. */
  const addFault = (fault: Fault) => {
    if (unknown.length < MAX_LISTED_FAULTS) unknown.push(fault)
  }
  const promised = { coin: 0n, usd: 0n }
  const kinds = new Map<string, number>()
  const lines: number[] = []
  /** Reserved ids of the members, {@link ROWS} in each array. */
  const ids: BigInt64Array[] = []
  const idOf = (member: number): bigint => ids[Math.floor(member / ROWS)]?.[member % ROWS] ?? missingId(member)
  let balanceRows = 0
  const members = buffered((rows: Parameters<typeof insertRows<'import_member'>>[2][number][]) => insertRows(tx, 'import_member', rows))
  const balances = buffered((rows: Parameters<typeof insertRows<'import_balance'>>[2][number][]) => insertRows(tx, 'import_balance', rows))
  const stakes = buffered((rows: Parameters<typeof insertRows<'import_stake'>>[2][number][]) => insertRows(tx, 'import_stake', rows))
  const nfts = buffered((rows: Parameters<typeof insertRows<'import_nft'>>[2][number][]) => insertRows(tx, 'import_nft', rows))
  const history = buffered((rows: Parameters<typeof insertRows<'import_history'>>[2][number][]) => insertRows(tx, 'import_history', rows))
  const standing = buffered((rows: { id: bigint; rank: string; special: boolean }[]) =>
    sql`update import_member m set rank = nullif(s.rank, ''), is_special = s.special
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ rank }) => rank)}::text[], ${rows.map(({ special }) => special)}::boolean[])
        s (id, rank, special) where m.member_id = s.id`.execute(tx),
  )
  const checked = await checkImport(folder, now, {
    async member(member, { member: number, sponsor, line }) {
      if (number % ROWS === 0) ids.push(BigInt64Array.from(await reserveMemberIds(tx, ROWS)))
      lines.push(line)
      await members.add({
        member_id: idOf(number),
        batch_id: batch.id,
        sponsor_id: sponsor === undefined ? null : idOf(sponsor),
        public_id: deps.ids.publicId(),
        email: member.email,
        name: member.name,
        phone: member.phone,
        referral_code: member.referral_code,
        joined_at: member.joined_at,
        is_verified: member.verified,
        is_active: member.active,
        password_hash: member.password_hash === '' ? null : member.password_hash,
        is_special: false,
      })
    },
    async balance({ wallet, amount }, member) {
      await members.flush()
      balanceRows += 1
      await balances.add({ batch_id: batch.id, member_id: idOf(member), wallet, amount })
    },
    async standing({ rank, special }, member, line) {
      await members.flush()
      if (rank !== '' && !ranks.has(rank))
        addFault({ file: standingFile.name, line, column: 'rank', message: `The programme has no rank ${rank}` })
      else await standing.add({ id: idOf(member), rank, special })
    },
    async stake(row, member, line) {
      const [plan, ...others] = plans.get(row.plan) ?? []
      if (plan === undefined || others.length > 0) {
        const message = `The platform has ${plan === undefined ? 'no plan' : 'several plans'} of the name ${row.plan}`
        addFault({ file: stakesFile.name, line, column: 'plan', message })
      } else {
        const daily = dailyReward(row.amount, row.percent, row.duration_days)
        promised.coin += (daily + bountyOf(plan.isOmega ? 1 : 0, daily)) * BigInt(row.duration_days - row.paid_days)
        await stakes.add({
          batch_id: batch.id,
          member_id: idOf(member),
          plan_id: plan.id,
          wallet: row.wallet === 'nativeWallet' ? 'nativewallet' : 'mywallet',
          amount: row.amount,
          apy: row.percent,
          duration_days: row.duration_days,
          started_at: row.started_at,
          paid_days: row.paid_days,
        })
      }
    },
    async nft(row, member, line) {
      const [nft, ...others] = catalogue.get(row.nft) ?? []
      if (nft === undefined || others.length > 0) {
        const message = `The platform has ${nft === undefined ? 'no NFT' : 'several NFTs'} of the name ${row.nft}`
        addFault({ file: nftsFile.name, line, column: 'nft', message })
      } else {
        const monthly = monthlyReward(row.price, row.percent, row.months)
        promised.usd += (monthly + bountyOf(2, monthly)) * BigInt(row.months - row.paid_months)
        kinds.set(nft.kind, (kinds.get(nft.kind) ?? 0) + 1)
        await nfts.add({
          batch_id: batch.id,
          member_id: idOf(member),
          nft_id: nft.id,
          price: row.price,
          percent: row.percent,
          months: row.months,
          bought_at: row.bought_at,
          paid_months: row.paid_months,
        })
      }
    },
    async history({ happened_at, title, direction, unit, amount, reference }, member) {
      const text = { happened_at, title, reference }
      await history.add({
        ...text,
        batch_id: batch.id,
        member_id: idOf(member),
        is_incoming: direction === 'in',
        asset: unit === 'usd' ? 'USD' : 'COIN',
        amount,
      })
    },
  })
  const { faults, totals, hash } = checked
  for (const fault of unknown) faults.add(fault)
  const left = await unitsLeft(tx)
  for (const [kind, count] of kinds)
    if (count > (left.get(kind) ?? 0))
      faults.add({ file: nftsFile.name, message: `The file has ${count} NFTs of the kind ${kind}, and ${left.get(kind) ?? 0} are left` })
  if (faults.count > 0) return { ...checked, taken: [] }
  for (const rows of [members, balances, standing, stakes, nfts, history]) await rows.flush()
  const principals = await sql`insert into import_balance (batch_id, member_id, wallet, amount)
    select batch_id, member_id, 'stakeWallet', sum(amount)::bigint from import_stake where batch_id = ${batch.id} group by 1, 2`.execute(tx)
  if ((await tx.selectFrom('import_batch').select('id').where('hash', '=', hash).executeTakeFirst()) !== undefined) {
    faults.add({ file: membersFile.name, message: 'These files were approved already, and are imported once' })
    return { ...checked, taken: [] }
  }
  const linesOf = (memberIds: readonly bigint[]) => {
    const wanted = new Set(memberIds)
    return lines.filter((_, member) => wanted.has(idOf(member)))
  }
  for (const line of linesOf(await takenCodes(tx, batch.id)))
    faults.add({ file: membersFile.name, line, column: 'referral_code', message: 'A member of this platform has it already' })
  const withoutAddress = faults.count > 0 ? [] : await takenAddresses(tx, batch.id)
  await tx
    .updateTable('import_batch')
    .set({
      hash,
      members: totals.members,
      referrals: totals.referrals,
      ...sumsByAsset(totals.balances),
      promised_coin: promised.coin,
      promised_usd: promised.usd,
      balances: balanceRows + Number(principals.numAffectedRows),
      totals: writeTotals(totals),
      without_address: withoutAddress.map(({ public_id }) => public_id),
    })
    .where('id', '=', batch.id)
    .execute()
  if (faults.count === 0) await confirmStaged(tx, deps.config, batch.id)
  faultPoint('import_step')
  return { ...checked, taken: linesOf(withoutAddress.map(({ member_id }) => member_id)) }
}

function missingId(member: number): never {
  throw new Error(`no id was reserved for member ${member}`)
}

/** Returns stored members whose referral code a member of this platform has, at most as many as a check lists. */
export async function takenCodes(db: Db, batchId: bigint): Promise<bigint[]> {
  const rows = await db
    .selectFrom('import_member as i')
    .innerJoin('member as m', 'm.referral_code', 'i.referral_code')
    .select('i.member_id')
    .where('i.batch_id', '=', batchId)
    .limit(MAX_LISTED_FAULTS)
    .execute()
  return rows.map(({ member_id }) => member_id)
}

/** Returns stored members whose address an account has. An unfinished registration has no claim to its address. */
async function takenAddresses(db: Db, batchId: bigint): Promise<{ member_id: bigint; public_id: string }[]> {
  const rows = await db
    .selectFrom('import_member as i')
    .innerJoin('member as m', 'm.email', 'i.email')
    .select(['i.member_id', 'i.public_id', 'm.is_verified', 'm.password_proved'])
    .where('i.batch_id', '=', batchId)
    .execute()
  return rows.filter((holder) => !isUnfinished(holder))
}
