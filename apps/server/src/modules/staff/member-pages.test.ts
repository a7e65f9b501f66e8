import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { fund, PAYOUT_ADDRESS } from '../../../test/members.ts'
import { type Person, type StaffHouse, staffHouse } from '../../../test/staff-house.ts'
import { allTransfers } from '../../main/all-checks.ts'
import { movingKinds, rewardKinds } from './ledger-lines.ts'

let house: StaffHouse
let who: Person

beforeAll(async () => {
  house = await staffHouse()
  who = await house.person({ name: 'Ifeoma Adaeze Balogun', phone: '+234 803 555 0118' })
})

const page = async (path: string, reader = house.support) => (await house.get(`/staff/members/${who.publicId}${path}`, reader)).body.data
const find = async (query: string) => (await house.get(`/staff/members?${query}`, house.support)).body.data
const found = async (text: string) => (await find(`q=${encodeURIComponent(text)}`)).data.map((row: { id: string }) => row.id)

describe('the list of members', () => {
  it('finds somebody by any word of the name, address, phone, code, id, payout address and transaction', async () => {
    const id = await house.withdrawal(who, 20n, PAYOUT_ADDRESS)
    await sql`update payout_request set tx_hash = ${`0x${'ab'.repeat(32)}`} where public_id = ${id}`.execute(house.at.db)
    const ways = ['ifeoma', 'Balog', 'adaeze bal', who.email.slice(0, 14).toUpperCase(), '234803555', '+234 803-555', who.referralCode]
    for (const text of [...ways, who.publicId, PAYOUT_ADDRESS.toUpperCase().replace('0X', '0x'), `0x${'AB'.repeat(32)}`])
      expect(await found(text), text).toContain(who.publicId)
    for (const text of ['alogun', "bal' | 'x", '%', '_f', `0x${'cd'.repeat(32)}`, '&!:*()'])
      expect(await found(text), text).not.toContain(who.publicId)
  })

  it('pages by the last row there was, narrows by state, and covers phone numbers', async () => {
    const blocked = [await house.person({ active: false }), await house.person({ active: false })]
    const all = await find('state=blocked')
    expect(all.data.map((row: { id: string }) => row.id)).toEqual([blocked[1]?.publicId, blocked[0]?.publicId])
    expect(all.meta.total).toBe(2)
    const next = await find(`state=blocked&limit=1&before=${blocked[1]?.publicId}`)
    expect(next.data.map((row: { id: string }) => row.id)).toEqual([blocked[0]?.publicId])
    const [row] = (await find('q=ifeoma')).data
    expect(row.phone).toBe('+234 803 ••• ••18')
  })

  it.each([
    ['a word of the name', sql`to_tsvector('simple'::regconfig, name) @@ to_tsquery('simple'::regconfig, '''bal'':*')`],
    ['an address', sql`email like 'ada%'`],
    ['a phone number', sql`regexp_replace(phone, '\\D', '', 'g') like '2348%'`],
    ['blocked ones', sql`not is_active`],
  ])('reads no table from end to end for %s', async (_, where) => {
    const plan = await house.at.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`explain select id from member where ${where}`.execute(tx)
    })
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index (Only )?Scan|Bitmap Index Scan/)
  })
})

describe('one member', () => {
  it('shows balances, what is held, what it is worth, what is unusual and what waits', async () => {
    const { held, worthUsd, balances, coinPrice, flags, openItems, counts, member } = await page('')
    expect(held).toEqual({ usd: 20, coin: 0 })
    expect(worthUsd).toBeCloseTo(balances.depositWallet + 20 + coinPrice * balances.icoWallet, 6)
    expect(member).toMatchObject({ phone: '+234 803 ••• ••18', secondFactor: false, isStaff: false })
    expect(openItems).toMatchObject([{ kind: 'payout', text: 'A payout of 20 USD waits for approval' }])
    expect(counts).toMatchObject({ sessions: 1, tickets: 0, notes: 0 })
    expect(flags).toEqual([])
    await sql`update member set password_reset_at = ${house.at.clock.now()} where id = ${who.id}`.execute(house.at.db)
    const until = new Date(house.at.clock.now().getTime() + 3 * 86_400_000).toISOString()
    expect((await page('')).flags).toMatchObject([{ code: 'RESET', until }])
  })

  it('[I17] shows phone and addresses only to who asks, and writes it down', async () => {
    const reveal = (field: string) => house.post(`/staff/members/${who.publicId}/reveal`, house.support, { field })
    expect((await reveal('phone')).body.data.values).toEqual(['+234 803 555 0118'])
    expect((await reveal('address')).body.data.values).toContain(PAYOUT_ADDRESS)
    expect((await reveal('email')).status).toBe(400)
    const rows = (await house.audits(who.publicId)).filter((row) => row.action === 'staff.member.reveal')
    expect(rows).toHaveLength(2)
  })

  it('[RO-17] takes a mail address as proved once, ends what proved nothing, and says nothing of the password', async () => {
    const fresh = await house.person({ verified: false })
    const verify = (who_: Person) => house.post(`/staff/members/${fresh.publicId}/verify`, who_, { reason: 'Seen the passport' })
    expect((await verify(house.support)).status).toBe(404)
    expect((await verify(house.maker)).status).toBe(200)
    expect((await house.get('/profile', fresh)).status).toBe(401)
    expect((await verify(house.maker)).body.message).toMatch(/already/)
  })

  it.each([
    ['notes', { text: 'x' }],
    ['verify', { reason: 'me' }],
    ['second-factor/reset', { reason: 'me' }],
    ['view-as', { reason: 'me' }],
  ])('refuses everybody the own account: %s', async (what, body) => {
    expect((await house.post(`/staff/members/${house.maker.publicId}/${what}`, house.maker, body)).body.message).toMatch(
      /Another staff member/,
    )
  })
})

describe('the pages of a member', () => {
  it('tells money, sign-ins, tickets and what staff did in one order, and page by page the same', async () => {
    house.at.clock.advance(60_000)
    await fund(house.at.db, who.id, 'icoWallet', 3n * ONE)
    for (let n = 0; n < 4; n += 1) {
      await house.withdrawal(who, 5n)
      house.at.clock.advance(60_000)
      await house.post(`/staff/members/${who.publicId}/special-rcm`, house.maker, { isSpecialRcm: n % 2 === 0, reason: `round ${n}` })
    }
    const whole = await page('/timeline?limit=100')
    expect(whole.next).toBeUndefined()
    // Test money comes with a clock of its own.
    const moments = whole.rows.filter((row: { kind: string }) => row.kind !== 'money').map((row: { at: string }) => Date.parse(row.at))
    expect(moments).toEqual(moments.toSorted((a: number, b: number) => b - a))
    expect(whole.rows).toContainEqual(
      expect.objectContaining({
        kind: 'staff',
        text: 'changed whether the member is special',
        detail: '“round 3”',
        by: expect.objectContaining({ id: house.maker.publicId }),
      }),
    )
    expect(whole.rows).toContainEqual(
      expect.objectContaining({ kind: 'money', text: 'Asked for a payout, held', amount: -5, asset: 'usd' }),
    )
    const paged: string[] = []
    for (let next: string | undefined = '', turns = 0; next !== undefined && turns < 50; turns += 1) {
      const part: { rows: { id: string }[]; next?: string } = await page(`/timeline?limit=3${next === '' ? '' : `&before=${next}`}`)
      paged.push(...part.rows.map((row) => row.id))
      next = part.next
    }
    expect(paged.toSorted()).toEqual(whole.rows.map((row: { id: string }) => row.id).toSorted())
    const kinds = new Set((await page('/timeline?kinds=money&limit=100')).rows.map((row: { kind: string }) => row.kind))
    expect([...kinds]).toEqual(['money'])
    for (const odd of ['?kinds=odd', '?before=x%27'])
      expect((await house.get(`/staff/members/${who.publicId}/timeline${odd}`, house.support)).status).toBe(400)
  })

  it('pages the ledger without cutting a transfer in two, to the first line', async () => {
    const all = (await page('/ledger?limit=200')).rows
    const paged: unknown[] = []
    for (let next: string | undefined = '', turns = 0; next !== undefined && turns < 50; turns += 1) {
      const part: { rows: unknown[]; next?: string } = await page(`/ledger?limit=2${next === '' ? '' : `&before=${next}`}`)
      paged.push(...part.rows)
      next = part.next
    }
    expect(paged).toEqual(all)
    const only = (await page('/ledger?wallet=icoWallet')).rows
    expect(new Set(only.map((line: { wallet: string }) => line.wallet))).toEqual(new Set(['icoWallet']))
  })

  it('shows sessions, team and who stands above', async () => {
    const child = await house.person({ sponsorId: who.id })
    expect((await page('/sessions')).rows).toMatchObject([{ live: true, secondFactor: false }])
    expect((await page('/team')).rows).toMatchObject([{ id: child.publicId, status: true, stake: 0 }])
    expect((await house.get(`/staff/members/${child.publicId}/team`, house.support)).body.data.above).toMatchObject([{ id: who.publicId }])
    expect((await page('/tickets')).rows).toEqual([])
    for (const path of ['timeline', 'ledger', 'sessions', 'team', 'tickets', 'notes'])
      expect((await house.get(`/staff/members/unknown/${path}`, house.support)).status, path).toBe(404)
  })

  it('has words for every kind of transfer that moves a member’s wallet', () => {
    const moving = Object.entries(allTransfers).filter(([, { pairs }]) =>
      pairs.some((pair) => pair.some((side) => !side.startsWith('SYS-'))),
    )
    expect([...movingKinds, ...rewardKinds].toSorted()).toEqual(moving.map(([kind]) => kind).toSorted())
  })
})
