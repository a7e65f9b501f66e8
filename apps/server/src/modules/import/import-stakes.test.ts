import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { checksOfTests } from '../../../test/audited-instance.ts'
import { dice } from '../../../test/dice.ts'
import {
  monthDue,
  type OldMember,
  oldMonth,
  type OldNft,
  oldPlatform,
  oldReward,
  type OldStake,
  writeImport,
} from '../../../test/import-files.ts'
import { instance, openStaffApp, reason } from '../../../test/staff-calls.ts'
import { type Job, runJob } from '../../jobs/job.ts'
import { balancesOf, ledgerChecks, post, runAudit } from '../../ledger/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { memberByEmail } from '../members/index.ts'
import { readNfts, reverseNft, unitsLeft } from '../nfts/index.ts'
import { findNftPurchaseReceipt } from '../nfts/nft-receipt.ts'
import { coverageOf, rewardJobs, setRewardPolicy } from '../rewards/index.ts'
import { reverseStake, stakingJobs } from '../staking/index.ts'
import { findStakeLogReceipt, findStakeReceipt } from '../staking/stake-receipt.ts'
import { formatFault } from './faults.ts'
import { applyImport, approveImport, readImport } from './apply-import.ts'
import { auditImports } from './import-mac.ts'
import { importJobs } from './import.jobs.ts'
import { stageImport } from './stage-import.ts'

const DAY_MS = 86_400_000
/** Bounties of the opening programme for five levels, in percent. */
const BOUNTIES = [10n, 5n, 3n, 2n, 1n]

await openStaffApp()
const { db, deps, clock } = instance.at
const root = mkdtempSync(path.join(tmpdir(), 'import-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

for (const [name, isOmega] of [
  ['Old year', false],
  ['Old omega', true],
  ['Twice', false],
  ['Twice', true],
] as const)
  await db
    .insertInto('stake_plan')
    .values({
      public_id: `${name} ${isOmega}`,
      name,
      duration_days: 365,
      minimum: 1n,
      apy: ONE,
      is_omega: isOmega,
      status: 'CLOSED',
      created_at: clock.now(),
    })
    .execute()

await db
  .insertInto('nft')
  .values({
    public_id: 'old-dome',
    kind: 'dome',
    name: 'Old dome',
    price: ONE,
    duration_months: 12,
    total_percent: ONE,
    status: 'CLOSED',
    created_at: clock.now(),
  })
  .execute()

/** Returns a random platform with up to two stakes and NFTs per member, most of which began long ago. */
function withStakes(seed: number, size: number, prefix: string): OldMember[] {
  const roll = dice(seed)
  const now = Math.floor(clock.now().getTime() / 1000) * 1000
  const stake = (): OldStake => {
    const passed = roll(200)
    return {
      plan: roll(3) === 0 ? 'Old omega' : 'Old year',
      wallet: roll(2) === 0 ? 'nativeWallet' : 'icoWallet',
      amount: ONE + 1n + BigInt(roll(1_000_000)) * BigInt(100 * (1 + roll(100_000))),
      percent: BigInt(1 + roll(100_000)) * 1_000_000n,
      days: passed + 1 + roll(roll(2) === 0 ? 3 : 400),
      startedAt: new Date(now - passed * DAY_MS - (1 + roll(86_000)) * 1000),
      paidDays: Math.max(0, passed - roll(3)),
    }
  }
  const nft = (): OldNft => {
    const boughtAt = new Date(now - roll(300) * DAY_MS - roll(86_000) * 1000)
    const one = { nft: 'Old dome', price: BigInt(1 + roll(100_000_000)) * 100n, percent: BigInt(1 + roll(30_000)) * 1_000_000n, boughtAt }
    // All months are paid but those that were due in the last two days.
    let paidMonths = 0
    while (monthDue({ ...one, months: 0, paidMonths }, paidMonths + 1) <= now - roll(2) * DAY_MS) paidMonths += 1
    return { ...one, months: paidMonths + 1 + roll(12), paidMonths }
  }
  return oldPlatform(seed, size, prefix).map((member) => ({
    ...member,
    stakes: Array.from({ length: roll(3) }, stake),
    nfts: Array.from({ length: roll(2) }, nft),
  }))
}

function stage(members: readonly OldMember[]): Promise<string> {
  const folder = mkdtempSync(path.join(root, 'files-'))
  writeImport(folder, members)
  return inTransaction(db, async (tx) => {
    const { faults, hash } = await stageImport(tx, deps, folder)
    if (faults.count > 0) throw new Error(faults.listed.map(formatFault).join('; '))
    return hash
  })
}
const propose = async (hash: string): Promise<string> =>
  (await instance.post('/staff/changes', instance.maker, { subject: 'import', value: { hash }, reason })).body.data.id
const approve = (id: string) => instance.post(`/staff/changes/${id}/approve`, instance.checker)
async function run(jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) await runJob(db, deps, job, 'test')
}
const differences = async () => (await runAudit(db, [...ledgerChecks, ...checksOfTests])).filter(({ broken }) => broken > 0)
const freeCoverage = async () => {
  const { pool, committed, promised, owed } = await coverageOf(db, 'COIN')
  return pool + committed - promised - owed
}

/** Computes from the files what stakes and NFTs pay to each member from their import until a time. Shares no code with the product. */
function expectedRewards(old: readonly OldMember[], until: number): { coin: bigint; usd: bigint }[] {
  const earns = old.map(({ verified, active }) => verified && active)
  const paid = old.map(() => ({ coin: 0n, usd: 0n }))
  const pay = (owner: number, asset: 'coin' | 'usd', { steps, reward }: { steps: number; reward: bigint }) => {
    const add = (index: number, amount: bigint) => {
      const sums = paid[index]
      if (sums !== undefined && earns[index] === true) sums[asset] += amount
    }
    const count = earns[owner] === true ? BigInt(steps) : 0n
    add(owner, count * reward)
    let above = old[owner]?.sponsor
    for (const percent of BOUNTIES) {
      const upline = old.findIndex(({ id }) => id === above)
      if (upline === -1) break
      add(upline, count * ((reward * percent) / 100n))
      above = old[upline]?.sponsor
    }
  }
  for (const [index, { stakes = [], nfts = [] }] of old.entries()) {
    for (const stake of stakes) {
      const passed = Math.floor((until - stake.startedAt.getTime()) / DAY_MS)
      pay(index, 'coin', { steps: Math.min(passed, stake.days) - stake.paidDays, reward: oldReward(stake) })
    }
    for (const nft of nfts) {
      let steps = 0
      while (nft.paidMonths + steps < nft.months && monthDue(nft, nft.paidMonths + steps + 1) <= until) steps += 1
      pay(index, 'usd', { steps, reward: oldMonth(nft) })
    }
  }
  return paid
}

describe('imported stakes and NFTs', () => {
  const old = withStakes(7, 80, 'stakes')
  const all = old.flatMap(({ stakes = [] }) => stakes)
  const memberId = async ({ email }: OldMember) => (await memberByEmail(db, email))?.id ?? 0n
  const balances = async () =>
    Promise.all(
      old.map(async (member) => {
        const { nativeWallet: coin, nftWallet: usd } = await balancesOf(db, await memberId(member))
        return { coin, usd }
      }),
    )
  const principals = all.reduce((total, { amount }) => total + amount, 0n)

  it('keep principal, terms and paid days, and what is promised beyond the coverage raises the commitment', async () => {
    // A part of the liabilities is covered before.
    await inTransaction(db, (tx) => setRewardPolicy(tx, { committed: { COIN: 5n * ONE }, at: clock.now(), by: null, reason }))
    const before = await coverageOf(db, 'COIN')
    expect(await freeCoverage()).toBe(before.pool + 5n * ONE)
    const hash = await stage(old)
    const id = await propose(hash)
    const { promisedCoin, promisedUsd } = await readImport(db, hash)
    const { coverage } = (await instance.get(`/staff/changes/${id}`, instance.checker)).body.data
    expect(coverage).toContainEqual(expect.objectContaining({ label: 'Free coverage in coin', after: '0' }))
    await approve(id)
    await run(importJobs)
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE' })
    const { committed, promised } = await coverageOf(db, 'COIN')
    expect([before.promised, promised, committed]).toEqual([0n, promisedCoin, promisedCoin - before.pool])
    expect(await freeCoverage()).toBe(0n)
    const usd = await coverageOf(db, 'USD')
    expect([usd.promised, usd.committed]).toEqual([promisedUsd, promisedUsd > usd.pool ? promisedUsd - usd.pool : 0n])
    const domes = await db.selectFrom('nft_purchase').select(['duration_months', 'imported_months', 'transfer_id']).execute()
    expect(domes.length).toBe(old.flatMap(({ nfts = [] }) => nfts).length)
    expect((await unitsLeft(db)).get('dome')).toBe(10_000 - domes.length)
    for (const member of old) {
      const rows = await db
        .selectFrom('stake')
        .innerJoin('reward_source', 'reward_source.public_id', 'stake.public_id')
        .select(['plan_name', 'wallet', 'stake.amount', 'apy', 'duration_days', 'started_at', 'processed', 'rank_budget'])
        .where('stake.member_id', '=', await memberId(member))
        .orderBy('stake.id')
        .execute()
      const { stakes = [] } = member
      expect(rows).toEqual(
        stakes.map((stake) => ({
          plan_name: stake.plan,
          wallet: stake.wallet === 'icoWallet' ? 'mywallet' : 'nativewallet',
          amount: stake.amount,
          apy: stake.percent,
          duration_days: stake.days,
          started_at: stake.startedAt,
          processed: stake.paidDays,
          rank_budget: 0n,
        })),
      )
      expect((await balancesOf(db, await memberId(member))).stakeWallet).toBe(stakes.reduce((total, { amount }) => total + amount, 0n))
    }
    expect(await db.selectFrom('event_outbox').select('kind').where('kind', 'in', ['stake.created', 'nft.created']).execute()).toEqual([])
    expect(await db.selectFrom('reward_instant').select('id').execute()).toEqual([])
    expect(await db.selectFrom('import_stake').select('id').execute()).toEqual([])
    expect(await differences()).toEqual([])
  })

  it('show a receipt, and cannot be reversed', async () => {
    const owner = old.find(({ stakes = [], verified, active }) => stakes.length > 1 && verified && active)
    if (owner === undefined) throw new Error('nobody has two stakes')
    const id = await memberId(owner)
    const stake = await db.selectFrom('stake').selectAll().where('member_id', '=', id).orderBy('id').limit(1).executeTakeFirstOrThrow()
    const receipt = await (stake.is_omega ? findStakeLogReceipt : findStakeReceipt)(db, id, stake.public_id)
    expect(receipt).toMatchObject({ amount: stake.amount, from: { label: 'Earlier platform' }, to: { wallet: 'stakeWallet' } })
    expect(receipt?.lines).toContainEqual(expect.objectContaining({ label: 'Moved from the earlier platform' }))
    const dome = await db.selectFrom('nft_purchase').selectAll().orderBy('imported_months', 'desc').limit(1).executeTakeFirstOrThrow()
    expect(await findNftPurchaseReceipt(db, dome.member_id, dome.public_id)).toMatchObject({
      amount: dome.price,
      from: { label: 'Earlier platform' },
      lines: [{ value: 'dome' }, { value: `${dome.imported_months} of ${dome.duration_months} paid` }, { at: dome.imported_at }],
    })
    expect((await readNfts(db, [dome.public_id]))(dome.public_id)).toMatchObject({
      totalRoi: dome.monthly_reward * BigInt(dome.imported_months),
      paidBy: null,
    })
    await expect(inTransaction(db, (tx) => reverseNft(tx, deps, dome.public_id))).rejects.toThrow('earlier platform')
    await expect(inTransaction(db, (tx) => reverseStake(tx, deps, stake.public_id))).rejects.toThrow('earlier platform')
  })

  const ATTACKS: readonly [string, string][] = [
    ['import_member', `update import_member set password_hash = 'theirs' where batch_id = $`],
    ['import_balance', `update import_balance set amount = amount + 1 where batch_id = $ and wallet = 'stakeWallet'`],
    ['import_balance', `insert into import_balance (batch_id, member_id, wallet, amount) values ($, -1, 'rcmWallet', 1)`],
    ['import_stake', `delete from import_stake where id = (select min(id) from import_stake where batch_id = $)`],
    ['import_nft', `update import_nft set percent = percent * 10 where batch_id = $`],
    ['import_history', `update import_history set title = 'Loan' where batch_id = $`],
    ['import_batch', `update import_batch set usd = usd + 1 where id = $`],
  ]

  it('are not added if stored rows of any table were changed by SQL before or after the approval, and the refusal names the table', async () => {
    const members = withStakes(11, 20, 'attacked')
    const happenedAt = '2020-01-05T00:00:00Z'
    const move = { happenedAt, title: 'Bonus', direction: 'in', unit: 'usd', amount: ONE, reference: '' } as const
    const hash = await stage(members.map((member) => ({ ...member, history: [move] })))
    const { id: batch } = await db.selectFrom('import_batch').select('id').where('hash', '=', hash).executeTakeFirstOrThrow()
    const id = await propose(hash)
    for (const [table, attack] of ATTACKS) {
      const undone = inTransaction(db, async (tx) => {
        const { numAffectedRows } = await sql.raw(attack.replace('$', String(batch))).execute(tx)
        expect([attack, numAffectedRows === 0n]).toEqual([attack, false])
        expect((await auditImports(tx, deps.config)).examples).toEqual([`${hash}: ${table}`])
        if (table === 'import_batch') {
          await expect(approveImport(tx, deps, hash)).rejects.toMatchObject({ code: 'IMPORT_CHANGED', values: { tables: table } })
          throw new Error('roll back')
        }
        // The approval reads no stored rows, so that a large import is approved within the time of a request.
        await sql`alter function import_digests rename to not_now`.execute(tx)
        await approveImport(tx, deps, hash)
        await sql`alter function not_now rename to import_digests`.execute(tx)
        await expect(applyImport(tx, deps, batch)).rejects.toThrow(`Rows of ${table} changed after the check. Propose the files again`)
        throw new Error('roll back')
      })
      await expect(undone).rejects.toThrow('roll back')
    }
    const { totals } = await readImport(db, hash)
    await sql`update import_batch set totals = '{}' where id = ${batch}`.execute(db)
    expect((await approve(id)).body.message).toBe('Integrity check failed: import_batch changed after the check. Propose the files again')
    expect(await readImport(db, hash)).toMatchObject({ status: 'STAGED' })
    await sql`update import_batch set totals = ${totals} where id = ${batch}`.execute(db)
    expect((await approve(id)).status).toBe(200)
    expect((await auditImports(db, deps.config)).broken).toBe(0)
    await sql`update import_balance set amount = amount + 1 where batch_id = ${batch}`.execute(db)
    await run(importJobs)
    const refusal = 'Rows of import_balance changed after the check. Propose the files again'
    expect(await readImport(db, hash)).toMatchObject({ status: 'REFUSED', refusal })
    expect(await memberByEmail(db, 'attacked0@gmail.com')).toBeUndefined()
    expect(await db.selectFrom('import_history').select('id').execute()).toEqual([])
  })

  it('are not added if SQL approved the import instead of a second admin', async () => {
    const hash = await stage(withStakes(12, 5, 'alone'))
    await db.updateTable('import_batch').set({ status: 'APPROVED', approved_at: clock.now() }).where('hash', '=', hash).execute()
    await run(importJobs)
    expect(await readImport(db, hash)).toMatchObject({ status: 'REFUSED', refusal: expect.stringContaining('import_batch changed') })
  })

  it('pay unpaid and later days as a model computes from the files, and return the principal', async () => {
    await inTransaction(db, async (tx) => {
      for (const asset of ['COIN', 'USD'] as const)
        await post(tx, {
          kind: 'fundRewardPool',
          cause: { type: 'reward_pool', id: `test ${asset}` },
          at: clock.now(),
          transfers: [
            {
              from: asset === 'USD' ? { system: 'SYS-OPERATOR', asset } : { system: 'SYS-COIN', asset },
              to: { system: 'SYS-REWARD', asset },
              amount: 100_000_000n * ONE,
            },
          ],
        })
    })
    const start = await balances()
    for (let day = 0; day <= 4; day += 1) {
      if (day > 0) clock.advance(DAY_MS)
      await run(rewardJobs)
      const paid = expectedRewards(old, clock.now().getTime())
      const expected = start.map(({ coin, usd }, index) => ({
        coin: coin + (paid[index]?.coin ?? 0n),
        usd: usd + (paid[index]?.usd ?? 0n),
      }))
      expect(await balances()).toEqual(expected)
    }
    expect(expectedRewards(old, clock.now().getTime()).filter(({ usd }) => usd > 0n).length).toBeGreaterThan(3)
    await run(stakingJobs)
    const ended = all.filter(({ startedAt, days }) => startedAt.getTime() + days * DAY_MS <= clock.now().getTime())
    expect(ended.length).toBeGreaterThan(5)
    const { rows } = await sql<{
      running: bigint
    }>`select sum(balance)::bigint as running from ledger_account where kind = 'stakeWallet'`.execute(db)
    expect(rows[0]?.running).toBe(principals - ended.reduce((total, { amount }) => total + amount, 0n))
    await run(rewardJobs)
    // The test funds the pool without an audit entry.
    expect((await differences()).map(({ check }) => check.title)).toEqual([
      'each payment into the reward pool, the sales fund or an RCM wallet matches its audit entry',
    ])
  })

  it('are faults if the platform has no plan or two plans of their name', async () => {
    const [first] = all
    if (first === undefined) throw new Error('no stake')
    const later = { ...first, startedAt: new Date(Math.floor(clock.now().getTime() / 1000) * 1000 - DAY_MS), days: 9, paidDays: 1 }
    const people = (plan: string) => oldPlatform(3, 2, 'plans').map((member) => ({ ...member, stakes: [{ ...later, plan }] }))
    await expect(stage(people('Unknown'))).rejects.toThrow(/^stakes\.csv:2: plan: .*no plan of the name Unknown; stakes\.csv:3: plan: /)
    await expect(stage(people('Twice'))).rejects.toThrow('several plans of the name Twice')
  })

  it('are faults if the platform has no NFT of their name, or too few of their kind', async () => {
    const boughtAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000 - DAY_MS)
    const people = (nft: string) =>
      oldPlatform(3, 1, 'domes').map((member) => ({
        ...member,
        nfts: [{ nft, price: ONE, percent: ONE, months: 2, boughtAt, paidMonths: 0 }],
      }))
    await expect(stage(people('Unknown'))).rejects.toThrow(/^nfts\.csv:2: nft: .*no NFT of the name Unknown/)
    const hash = await stage(people('Old dome'))
    await inTransaction(db, (tx) => approveImport(tx, deps, hash))
    await db
      .updateTable('nft_supply')
      .set((eb) => ({ cap: eb.ref('sold') }))
      .where('kind', '=', 'dome')
      .execute()
    await run(importJobs)
    expect(await readImport(db, hash)).toMatchObject({ status: 'REFUSED', refusal: expect.stringContaining('kind dome') })
    await expect(stage(people('Old dome'))).rejects.toThrow('The file has 1 NFTs of the kind dome, and 0 are left')
    expect(await memberByEmail(db, 'domes0@gmail.com')).toBeUndefined()
    await db.updateTable('nft_supply').set({ cap: 10_000 }).where('kind', '=', 'dome').execute()
  })

  it('are refused with all members when too many days have passed since the check', async () => {
    const hash = await stage(withStakes(9, 20, 'late'))
    await inTransaction(db, (tx) => approveImport(tx, deps, hash))
    clock.advance(3 * DAY_MS)
    await run(importJobs)
    expect(await readImport(db, hash)).toMatchObject({
      status: 'REFUSED',
      refusal: expect.stringContaining('due more than 2 days ago'),
    })
    expect(await memberByEmail(db, 'late0@gmail.com')).toBeUndefined()
    expect(await db.selectFrom('import_stake').select('id').execute()).toEqual([])
  })
})
