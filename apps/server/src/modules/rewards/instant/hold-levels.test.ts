import { ONE, type Units } from '@tizara/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchParameters } from '../../../../../../test/search.ts'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { runChecks } from '../../../ledger/audit.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { uplinesOf } from '../../team/index.ts'
import { auditChecks } from '../audit-checks.ts'
import { addProgramme } from '../pool/add-programme.ts'
import { saleTerms } from '../pool/assert-covered.ts'
import { levelReward, sharesOf, shareOf, type Stream } from '../programme/rewards.rules.ts'
import type { SoldSource } from '../sources/source.ts'
import { openSources } from './source-sales.ts'

describe('level rewards of sales', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  // A chain of seven (two do not earn), and two members outside the chain.
  const line = [await instance.join()]
  for (let index = 1; index < 7; index += 1)
    line.push(await instance.join({ sponsor: line.at(-1), active: index !== 3, verified: index !== 5 }))
  line.push(await instance.join({ sponsor: line[2] }), await instance.join())

  const source = fc.record({
    stream: fc.constantFrom<Stream>(0, 1, 2),
    who: fc.nat(line.length - 1),
    // Twelve sales that pay everything on five levels still fit into a bigint.
    principal: fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 1_000_000n * ONE), fc.bigInt(1n, 1_000_000_000n * ONE)),
    steps: fc.oneof(fc.integer({ min: 1, max: 800 }), fc.constantFrom(364, 365, 366, 36_500)),
  })
  const percent = fc.oneof(
    fc.constantFrom(0n, 100n * ONE),
    fc.bigInt(0n, 1_000_000n).map((steps) => (steps * ONE) / 10_000n),
  )
  const programme = fc.record({
    levels: fc.array(percent, { minLength: 5, maxLength: 5 }),
    fullLevelShareDays: fc.constantFrom(1, 30, 365, 36_500),
  })

  /** Returns when a level reward is due, in seconds: after the stake's days, or after the NFT's first month. */
  const dueAt = (start: Date, stream: Stream, days: number) => {
    if (stream !== 2) return start.getTime() / 1000 + days * 86_400
    const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
    const lastDay = new Date(Date.UTC(year, month + 2, 0)).getUTCDate()
    return (Date.UTC(year, month + 1, Math.min(start.getUTCDate(), lastDay)) + (start.getTime() % 86_400_000)) / 1000
  }

  it('[RW-02] [RW-07] [I19] equal the shares of all earning uplines to the unit, due with each source, for any batch of sales', async () => {
    const sold = async (tx: Tx, sources: readonly SoldSource[]) => {
      const terms = await saleTerms(tx, clock.now(), 'COIN')
      await openSources(tx, terms, clock.now(), sources)
      const found = await sql<{ key: string }>`
        select concat_ws(' ', cause_public_id, kind, asset, beneficiary_id, source_member_id, level, base, percent, amount, programme_version,
          extract(epoch from release_at)::bigint) as key
        from reward_instant where cause_public_id = any (${sources.map((one) => one.publicId)}::text[]) and status = 'held' order by key`.execute(
        tx,
      )
      const promised = await sql<{ amount: Units }>`
        select coalesce(sum(amount), 0)::bigint as amount from reward_liability_pending where kind in ('level', 'nft-level') and id > ${before}`.execute(
        tx,
      )
      return { rules: terms.programme, held: found.rows.map(({ key }) => key), promised: promised.rows[0]?.amount }
    }
    let before = 0n
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 12 }), programme, async (options, { levels, fullLevelShareDays }) => {
        clock.advance(1000)
        const undo = new Error('undo')
        await inTransaction(db, async (tx) => {
          const rules = { levelPercents: levels, stakeLogLevelPercents: levels.toReversed(), nftLevelPercents: levels, fullLevelShareDays }
          await addProgramme(tx, { rules, startsAt: clock.now(), at: clock.now(), reason: 'test', by: null })
          before =
            (await sql<{ id: bigint }>`select coalesce(max(id), 0) as id from reward_liability_pending`.execute(tx)).rows[0]?.id ?? 0n
          const sources = options.map(({ who, ...one }, index) => {
            const memberId = line[who]?.id ?? 0n
            return { ...one, memberId, publicId: `sold-${index}`, label: 'Test', percent: ONE, amount: 1n }
          })
          const { rules: version, held, promised } = await sold(tx, sources)
          const uplineOf = await uplinesOf(tx, [...new Set(sources.map((one) => one.memberId))], 5)
          let sum = 0n
          const wanted = sources.flatMap(({ stream, publicId, memberId, principal, steps: durationDays }) =>
            uplineOf(memberId).flatMap((one) => {
              const share = sharesOf(version, stream).levels[one.level - 1] ?? 0n
              const stake = { amount: principal, durationDays }
              const amount = stream === 2 ? shareOf(principal, share) : levelReward(stake, share, version.fullLevelShareDays)
              if (!one.earns || amount === 0n) return []
              sum += amount
              const kind = stream === 2 ? 'nft-level USD' : 'level COIN'
              return [
                `${publicId} ${kind} ${one.memberId} ${memberId} ${one.level} ${principal} ${share} ${amount} ${version.version} ${dueAt(clock.now(), stream, durationDays)}`,
              ]
            }),
          )
          expect(held).toEqual(wanted.toSorted())
          expect(promised).toBe(sum)
          throw undo
        }).catch((error: unknown) => {
          if (error !== undo) throw error
        })
      }),
      searchParameters('held level shares', { short: 40, long: 4_000 }),
    )
  })

  it.each([
    ['a missing beneficiary', 'beneficiary_id = 999999999'],
    ['a beneficiary on another level', 'level = level % 5 + 1'],
    ['a beneficiary in the downline', 'beneficiary_id = source_member_id'],
    ['a missing buyer', 'source_member_id = 999999999'],
    ['no buyer', 'source_member_id = null'],
    ['a missing programme version', 'programme_version = 99'],
  ])('[I10] [I11] have no foreign keys: the audit finds %s', async (_, change) => {
    const [buyer] = line.toReversed().slice(1)
    if (buyer === undefined) throw new Error('no such member')
    const found: string[] = []
    const undo = new Error('undo')
    await instance.stake(buyer, { amount: 100n * ONE, apy: ONE, days: 100 })
    await inTransaction(db, async (tx) => {
      await sql`update reward_instant set ${sql.raw(change)} where id = (select max(id) from reward_instant)`.execute(tx)
      found.push(...(await runChecks(tx, auditChecks)).filter((one) => one.broken > 0).map((one) => one.check.title))
      throw undo
    }).catch((error: unknown) => {
      if (error !== undo) throw error
    })
    expect(found).toContain('an instant reward goes to the sponsor of its level above the buyer, by an existing programme')
  })
})
