import fc from 'fast-check'
import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { type StaffInstance, staffInstance } from '../../../../../test/staff-instance.ts'
import { currentSettings } from '../../../settings/index.ts'
import { runJob } from '../../../../jobs/job.ts'
import { walletJobs } from '../../../wallets/index.ts'
import { fund } from '../../../../../test/members.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const instance: StaffInstance = await staffInstance()
const { clock, db } = instance.at
const now = () => clock.now().getTime()
const iso = (moment: number) => new Date(moment).toISOString()
const priceAt = async (moment: number) => (await currentSettings(db, new Date(moment))).coinPrice

/** Signs everyone in again, because sessions expire meanwhile. */
const wait = async (ms: number) => {
  clock.advance(ms)
  for (const who of [instance.maker, instance.checker, instance.member]) who.token = (await instance.at.signIn(who.id)).token
}
const propose = async (subject: string, value: object, startsAt?: string) =>
  instance.post('/staff/changes', instance.maker, { subject, value, reason: 'because', ...(startsAt === undefined ? {} : { startsAt }) })
const approve = (id: string) => instance.post(`/staff/changes/${id}/approve`, instance.checker, {})
const change = async (subject: string, value: object, startsAt?: string): Promise<string> => {
  const { body } = await propose(subject, value, startsAt)
  return body.success === true ? (await approve(body.data.id)).body.message : body.message
}
/** Scheduled prices shown to members. */
const readAnnounced = async (): Promise<{ startsAt: string; coinPrice: number }[]> =>
  (await instance.get('/general-settings', instance.member)).body.data.coming

const FAR = 'Prices may change by at most 5 % within 24 hours. Plan a larger change at least a day ahead, so that members see it'

describe('price change notice', () => {
  it('[I13] is shown to members from the approval on, with its start, and no longer after a cancellation', async () => {
    const start = iso(now() + 2 * DAY)
    const { body } = await propose('price', { coinPrice: 0.004 }, start)
    expect(await readAnnounced()).toEqual([])
    expect((await approve(body.data.id)).status).toBe(200)
    expect(await readAnnounced()).toMatchObject([{ startsAt: start, coinPrice: 0.004, platformFeePercent: 5 }])
    await instance.post(`/staff/changes/${body.data.id}/cancel`, instance.maker, { reason: 'not now' })
    expect(await readAnnounced()).toEqual([])
  })

  it('[MF-10] shows members’ coin × the difference to those who decide', async () => {
    await fund(db, instance.member.id, 'icoWallet', 1000n * ONE)
    await wait(DAY)
    for (const job of walletJobs) await runJob(db, instance.at.deps, job, 'test')
    const rows = async (coinPrice: number) => {
      const input = { subject: 'price', value: { coinPrice }, startsAt: iso(now() + 2 * DAY) }
      const { body } = await instance.post('/staff/changes/preview', instance.maker, input)
      return body.data.rows.filter(({ label }: { label: string }) => label.startsWith('Members’ coin'))
    }
    expect(await rows(0.012)).toEqual([{ label: 'Members’ coin of yesterday is worth more by', after: '4', unit: 'USD', good: false }])
    expect(await rows(0.005)).toEqual([{ label: 'Members’ coin of yesterday is worth less by', after: '3', unit: 'USD' }])
  })

  it('[EN-30] [EN-36] covers plans and NFTs on sale', async () => {
    const start = iso(now() + HOUR)
    const plan = { planName: 'Autumn', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' }
    const nft = { name: 'Dome 1', title: 'A dome', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' }
    await change('plan', plan)
    await change('nft', nft)
    const shown = async () => {
      const [plans, nfts] = await Promise.all(
        ['/stack-coin-settings?status=ACTIVE', '/nft/active-nft'].map((path) => instance.get(path, instance.member)),
      )
      return { plan: plans?.body.data.data[0], nft: nfts?.body.data.data[0] }
    }
    const before = await shown()
    expect([before.plan.next, before.nft.next]).toEqual([undefined, undefined])
    await change('plan', { ...plan, planId: before.plan.id, apy: 15 }, start)
    await change('nft', { ...nft, nftId: before.nft.id, price: 60 }, start)
    expect(await shown()).toMatchObject({
      plan: { apy: 12, next: { startsAt: start, apy: 15 } },
      nft: { price: 50, next: { startsAt: start, price: 60 } },
    })
    await wait(HOUR)
    expect(await shown()).toMatchObject({ plan: { apy: 15 }, nft: { price: 60 } })
    expect((await shown()).plan.next).toBeUndefined()
  })

  it('is required beyond 5 %, in one step or several, up or down, at once or planned within a day', async () => {
    expect(await change('price', { coinPrice: 0.00759999 })).toBe(FAR)
    expect(await change('price', { coinPrice: 0.0076 })).toBe('The change is now in effect')
    expect(await change('price', { coinPrice: 0.00759999 })).toBe(FAR)
    expect(await change('price', { coinPrice: 0.007 }, iso(now() + DAY - 1))).toBe(FAR)
    await wait(DAY - 1)
    expect(await change('price', { coinPrice: 0.0075 })).toBe(FAR)
    await wait(1)
    expect(await change('price', { coinPrice: 0.00722 })).toBe('The change is now in effect')
    expect(await change('settings', { convertRate: 0.0084 })).toBe('The change is now in effect')
    expect(await change('settings', { convertRate: 0.009 })).toBe(FAR)
    // Proposed in time but approved too late: members would have less than a day.
    const { body } = await propose('price', { coinPrice: 0.005 }, iso(now() + DAY))
    await wait(1)
    expect((await approve(body.data.id)).body.message).toBe(FAR)
  })

  it('[MF-10] counts all moves of 24 hours, up and down, also back to a price of the same day', async () => {
    await wait(2 * DAY)
    const [held] = [await priceAt(now())]
    const percent = (of: bigint) => Number((held * of) / 100n) / 1e8
    // Stays below the convert rate.
    expect(await change('price', { coinPrice: percent(97n) })).toBe('The change is now in effect')
    expect(await change('price', { coinPrice: percent(100n) })).toBe(FAR)
    expect(await change('price', { coinPrice: percent(98n) }, iso(now() + HOUR))).toMatch(/^The change is planned/)
    expect(await change('price', { coinPrice: percent(97n) }, iso(now() + 2 * HOUR))).toBe(FAR)
    await wait(DAY)
    // The planned move is still one of the 24 hours.
    expect(await change('price', { coinPrice: percent(102n) })).toBe(FAR)
    await wait(HOUR)
    expect(await change('price', { coinPrice: percent(102n) })).toBe('The change is now in effect')
  })

  it('does not count moves that members knew a day ahead', async () => {
    await wait(2 * DAY)
    const [held, start] = [await priceAt(now()), now() + 2 * DAY]
    await change('price', { coinPrice: Number(held / 2n) / 1e8 }, iso(start))
    await wait(2 * DAY)
    expect(await priceAt(now())).toBe(held / 2n)
    expect(await change('price', { coinPrice: Number((held * 52n) / 100n) / 1e8 })).toBe('The change is now in effect')
    // Cancelled and decided again an hour before the start, a move is not known a day ahead.
    await wait(2 * DAY)
    const later = iso(now() + 30 * HOUR)
    const proposed = { coinPrice: Number((held * 50n) / 100n) / 1e8 }
    const { body } = await propose('price', proposed, later)
    await approve(body.data.id)
    await wait(29 * HOUR)
    await instance.post(`/staff/changes/${body.data.id}/cancel`, instance.maker, { reason: 'not now' })
    expect(await change('price', proposed, later)).toMatch(/^The change is planned/)
    await wait(2 * HOUR)
    expect(await change('price', { coinPrice: Number((held * 52n) / 100n) / 1e8 })).toBe(FAR)
  })

  it('[I13] limits the gain of informed members to 5 % of their turnover, whatever two staff members do', async () => {
    const actions = fc.record({
      price: fc.integer({ min: 300_000, max: 840_000 }),
      inHours: fc.constantFrom(0, 1, 12, 24, 30),
      waitHours: fc.constantFrom(0, 1, 5, 20),
      cancels: fc.boolean(),
    })
    const days = fc.sample(fc.array(actions, { minLength: 40, maxLength: 40 }), { seed: 9, numRuns: 1 }).flat()
    const seen: { at: number; coming: { startsAt: string; coinPrice: number }[] }[] = []
    const first = now()
    let held = Number(await priceAt(first))
    for (const { price, inHours, waitHours, cancels } of days) {
      // Half the prices are near the current one, so that steps follow each other.
      const target = price % 2 === 0 ? price : Math.round(held * (0.94 + (price % 13) / 100))
      const { body } = await propose('price', { coinPrice: target / 1e8 }, inHours === 0 ? undefined : iso(now() + inHours * HOUR))
      if (body.success === true) {
        await approve(body.data.id)
        if (cancels) await instance.post(`/staff/changes/${body.data.id}/cancel`, instance.maker, { reason: 'not now' })
      }
      seen.push({ at: now(), coming: await readAnnounced() })
      await wait(waitHours * HOUR)
      held = Number(await priceAt(now()))
    }
    await wait(2 * DAY)
    const { rows } = { rows: await db.selectFrom('setting').select('starts_at').where('starts_at', '>', new Date(first)).execute() }
    const starts = [...new Set(rows.map((row) => row.starts_at.getTime()))].filter((start) => start <= now()).toSorted((a, b) => a - b)
    let steps = 0
    for (const start of starts) {
      const [before, after] = [await priceAt(start - 1), await priceAt(start)]
      if (before === after) continue
      steps += 1
      const knew = seen.some(
        ({ at, coming }) =>
          at <= start - DAY && coming.some((one) => Date.parse(one.startsAt) === start && one.coinPrice === Number(after) / 1e8),
      )
      const gain = (100n * (after > before ? after - before : before - after) * ONE) / (before < after ? before : after)
      expect([iso(start), knew || gain <= (527n * ONE) / 100n]).toEqual([iso(start), true])
    }
    expect(steps).toBeGreaterThan(5)
  })

  it('is shown whatever else is planned or cancelled before it', async () => {
    const start = iso(now() + 3 * DAY)
    for (let n = 1; n <= 25; n += 1) {
      const { body } = await propose('limits', { openInvoices: n % 2 === 0 ? 10 : 11, payoutDayCount: 20 + n }, iso(now() + n * 60_000))
      expect((await approve(body.data.id)).status).toBe(200)
      if (n % 2 === 0) await instance.post(`/staff/changes/${body.data.id}/cancel`, instance.maker, { reason: 'not now' })
    }
    const coinPrice = Math.round(Number(await priceAt(now())) / 2) / 1e8
    const { body } = await propose('price', { coinPrice }, start)
    expect((await approve(body.data.id)).body.message).toMatch(/planned/i)
    expect(await readAnnounced()).toMatchObject([{ startsAt: start, coinPrice }])
  })
})
