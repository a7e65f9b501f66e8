import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../platform/db/database.ts'
import { recordLiabilities } from '../../rewards/pool/liabilities.ts'
import { currentSettings } from '../../settings/index.ts'
import { type Person, staffInstance } from '../../../../test/staff-instance.ts'

const instance = await staffInstance()

const propose = async (who: Person, subject: string, value: unknown) => {
  const simulation = subject === 'programme' ? { simulation: await instance.simulate(who, value as object).catch(() => undefined) } : {}
  return instance.post('/staff/changes', who, { subject, value, reason: 'because', ...simulation })
}
const proposed = async (subject: string, value: unknown): Promise<string> => {
  const { body } = await propose(instance.maker, subject, value)
  expect(body).toMatchObject({ success: true })
  return body.data.id
}
const approve = (id: string, who: Person) => instance.post(`/staff/changes/${id}/approve`, who, { reason: 'fine' })
const refuse = (id: string, who: Person) => instance.post(`/staff/changes/${id}/reject`, who, { reason: 'no' })
const FOUR_EYES = 'Another staff member has to approve this'

/** The catalogue without its proposals. */
const inForce = async () => {
  const { decisions: _, ...values } = (await instance.get('/staff/catalogue', instance.maker)).body.data
  return values
}

const subjects: readonly (readonly [string, unknown])[] = [
  ['price', { coinPrice: 0.0079 }],
  ['settings', { exchangeLimit: 12.5, exchangeCooldownHours: 4, allowedEmailDomains: ['Gmail.com', 'proton.me'], minCoin: 2 }],
  ['limits', { fourEyesAboveUsd: 1500, openInvoices: 3 }],
  ['programme', { referralPercent: 4, levelPercents: [4, 3, 2, 1, 1] }],
  ['plan', { planName: 'Autumn', duration: 30, minimum: 10, apy: 12, omega: true, status: 'ACTIVE' }],
  ['nft', { name: 'Dome 1', title: 'A dome', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' }],
  ['popup', { title: 'Hello', message: 'World', isActive: true }],
]

describe('proposals', () => {
  it.each(subjects)('[CO-47] [VA-15] [I17] need a second person before a change of %s takes effect', async (subject, value) => {
    const before = await inForce()
    const id = await proposed(subject, value)
    expect(await inForce()).toEqual(before)
    expect((await approve(id, instance.maker)).body.message).toBe(FOUR_EYES)
    expect(await inForce()).toEqual(before)
    expect((await approve(id, instance.checker)).status).toBe(200)
    expect(await inForce()).not.toEqual(before)
    expect((await approve(id, instance.third)).body.message).toBe('This request has already been decided')
    const rows = (await instance.get('/staff/changes?limit=100', instance.maker)).body.data.data
    expect(rows.find((row: { id: string }) => row.id === id)).toMatchObject({
      subject,
      status: 'IN_FORCE',
      proposedBy: { email: instance.maker.email },
      decidedBy: { email: instance.checker.email },
      mine: true,
      decisionReason: 'fine',
    })
    expect((await instance.audits(id)).map((row) => [row.action, row.actor_id, row.reason, row.outcome])).toEqual([
      ['staff.change.propose', instance.maker.id, 'because', 'ok'],
      ['staff.change.approve', instance.maker.id, 'fine', 'FOUR_EYES'],
      ['staff.change.approve', instance.checker.id, 'fine', 'ok'],
      ['staff.change.approve', instance.third.id, 'fine', 'ALREADY_DECIDED'],
    ])
  })

  it.each([
    ['exchangeLimit', {}],
    ['platformFeePercent', { networkFeePercent: 0 }],
    ['networkFeePercent', { platformFeePercent: 0 }],
    ['bridgeFeePercent', {}],
  ])('accept exactly 100 percent for %s, and reject more', async (name, rest) => {
    const open = async () => (await instance.get('/staff/changes?limit=100', instance.maker)).body.data.meta.total
    const before = await open()
    const reply = await propose(instance.maker, 'settings', { ...rest, [name]: 100.00000001 })
    expect([reply.status, await open()]).toEqual([400, before])
    expect(reply.text).toContain('Must be at most 100')
    expect((await refuse(await proposed('settings', { ...rest, [name]: 100 }), instance.checker)).status).toBe(200)
    expect(await open()).toBe(before + 1)
  })

  it('show the catalogue in force', async () => {
    const { data } = (await instance.get('/staff/catalogue', instance.checker)).body
    expect(data).toMatchObject({
      coinPrice: 0.0079,
      settings: {
        exchangeLimit: 12.5,
        exchangeCooldownHours: 4,
        allowedEmailDomains: ['gmail.com', 'proton.me'],
        minCoin: 2,
        maxCoin: 10_000_000,
      },
      limits: { fourEyesAboveUsd: 1500, openInvoices: 3, fourEyesAboveCoin: 100_000 },
      programme: { referralPercent: 4, levelPercents: [4, 3, 2, 1, 1], bountyPercents: [10, 5, 3, 2, 1] },
      popup: { title: 'Hello', message: 'World', isActive: true },
    })
    expect(data.plans[0]).toMatchObject({ planName: 'Autumn', duration: 30, minimum: 10, apy: 12, omega: true, status: 'ACTIVE' })
    expect(data.nfts[0]).toMatchObject({ name: 'Dome 1', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' })
  })

  it('change and close a plan and an NFT by id', async () => {
    const { data } = (await instance.get('/staff/catalogue', instance.maker)).body
    const plan = { planId: data.plans[0].id, planName: 'Autumn', duration: 60, minimum: 10, apy: 12, omega: true, status: 'INACTIVE' }
    const nft = {
      nftId: data.nfts[0].id,
      name: 'Dome 1',
      title: 'A dome',
      walletName: 'dome',
      price: 55,
      duration: 12,
      dailyRoi: 20,
      status: 'INACTIVE',
    }
    for (const id of [await proposed('plan', plan), await proposed('nft', nft)])
      expect((await approve(id, instance.checker)).status).toBe(200)
    const after = (await instance.get('/staff/catalogue', instance.maker)).body.data
    expect(after.plans).toHaveLength(1)
    expect(after.plans[0]).toMatchObject({ id: plan.planId, duration: 60, status: 'INACTIVE' })
    expect(after.nfts[0]).toMatchObject({ id: nft.nftId, price: 55, status: 'INACTIVE' })
    expect((await propose(instance.maker, 'plan', { ...plan, planId: 'unknown' })).status).toBe(404)
    expect((await propose(instance.maker, 'nft', nft)).status).toBe(400)
  })

  it('have one effect when two people approve in parallel', async () => {
    const id = await proposed('price', { coinPrice: 0.0078 })
    const { version } = await currentSettings(instance.at.db, instance.at.clock.now())
    const replies = await Promise.all([approve(id, instance.checker), approve(id, instance.third), refuse(id, instance.third)])
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    const versions = await instance.at.db.selectFrom('setting').select('version').where('version', '>', version).execute()
    expect(versions.length).toBeLessThanOrEqual(1)
  })

  it('are rejected when the base has changed, and after a rejection or cancellation', async () => {
    const one = await proposed('settings', { exchangeLimit: 20 })
    const other = await proposed('settings', { exchangeLimit: 30, minCoin: 3 })
    expect((await approve(one, instance.checker)).status).toBe(200)
    expect((await approve(other, instance.checker)).body.message).toContain('have changed since this was proposed')
    expect((await currentSettings(instance.at.db, instance.at.clock.now())).exchangeLimit).toBe(20n * ONE)
    expect((await instance.get(`/staff/changes/${other}`, instance.maker)).body.data.status).toBe('OUTDATED')
    expect((await refuse(other, instance.maker)).status).toBe(400)
    const own = await proposed('settings', { exchangeLimit: 30 })
    expect((await refuse(own, instance.maker)).status).toBe(200)
    expect((await approve(own, instance.checker)).body.message).toBe('This request has already been decided')
  })

  it('succeed for one of two changes to the same value in parallel', async () => {
    const ids = [await proposed('settings', { bridgeMinimum: 1 }), await proposed('settings', { bridgeMinimum: 2 })]
    const replies = await Promise.all(ids.map((id, index) => approve(id, index === 0 ? instance.checker : instance.third)))
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  it('[CO-15] are rejected when filed with a convert rate below the coin price', async () => {
    expect((await propose(instance.maker, 'settings', { convertRate: 0.001 })).body.message).toBe(
      'The convert rate must not be below the coin price',
    )
    expect((await propose(instance.maker, 'price', { coinPrice: 5 })).body.message).toBe(
      'The convert rate must not be below the coin price',
    )
  })

  it('are rejected when filed with an uncovered programme, with the figures', async () => {
    await inTransaction(instance.at.db, (tx) =>
      recordLiabilities(tx, [{ kind: 'daily', step: 'day', startsAt: instance.at.clock.now(), steps: 1, amount: 1_000_001n * ONE }]),
    )
    instance.at.clock.advance(1000)
    const reply = await propose(instance.maker, 'programme', { levelPercents: [5, 3, 2, 1, 1] })
    expect(reply).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^This programme is not covered: .*1000001 coin.*hold 1000000 coin$/) },
    })
    expect((await propose(instance.maker, 'programme', { levelPercents: [3, 3, 2, 1, 1] })).status).toBe(200)
  })

  it.each([
    ['settings', {}],
    ['price', { coinPrice: 0 }],
    ['programme', { levelPercents: [1, 2] }],
    ['programme', { referralPercent: 0.000_01 }],
    ['plan', { planName: 'x', duration: 30, minimum: 10, apy: 0, status: 'ACTIVE' }],
    ['credit', { memberId: 'x', email: 'x', amount: 1 }],
    ['staff', { email: 'x@gmail.com', name: 'x', phone: '', role: 'ADMIN' }],
  ])('are rejected for invalid values of %s %j', async (subject, value) => {
    expect((await propose(instance.maker, subject, value)).status).toBe(400)
  })

  it('[I17] are limited per subject', async () => {
    const id = await proposed('popup', { title: 'T', message: 'M', isActive: false })
    await sql`insert into staff_proposal (public_id, subject, value, base, reason, proposed_by, created_at, proposer_mac)
      select 'many-' || n, subject, value, base, reason, proposed_by, created_at, proposer_mac from staff_proposal cross join generate_series(1, 99) n
      where public_id = ${id}`.execute(instance.at.db)
    const { status, body } = await propose(instance.maker, 'popup', { title: 'T', message: 'One more', isActive: false })
    expect([status, body.errorMessages[0].message]).toEqual([400, 'Too many proposals for this are pending, decide them first'])
    expect((await propose(instance.maker, 'limits', { openInvoices: 7 })).status).toBe(200)
    for (let n = 1; n < 100; n += 1) await refuse(`many-${n}`, instance.checker)
    expect((await propose(instance.maker, 'popup', { title: 'T', message: 'One more', isActive: false })).status).toBe(200)
  })

  it('are protected in the database: another approver, and unchanged values', async () => {
    const id = await proposed('popup', { title: 'T', message: 'M', isActive: false })
    const update = (values: Record<string, unknown>) =>
      instance.at.db.updateTable('staff_proposal').set(values).where('public_id', '=', id).execute()
    await expect(update({ status: 'APPROVED', decided_by: instance.maker.id, decided_at: new Date() })).rejects.toThrow(
      /proposer_is_not_approver/,
    )
    await expect(update({ value: '{}' })).rejects.toThrow(/fixed/)
    await expect(instance.at.db.deleteFrom('staff_proposal').execute()).rejects.toThrow(/fixed/)
  })
})
