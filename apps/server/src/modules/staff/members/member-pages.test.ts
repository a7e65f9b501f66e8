import { allRoutes } from '@tizara/contract/all-routes'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { fund, PAYOUT_ADDRESS, TEST_PASSWORD } from '../../../../test/members.ts'
import { type Person, staffInstance } from '../../../../test/staff-instance.ts'
import { post, walletId } from '../../../ledger/index.ts'
import { allTransfers } from '../../../main/all-checks.ts'
import { movingKinds, rewardKinds } from '../access/transfer-kinds.ts'

const instance = await staffInstance()
const who = await instance.person({ name: 'Ifeoma Adaeze Balogun', phone: '+234 803 555 0118' })

const page = async (path: string, reader = instance.support) =>
  (await instance.get(`/staff/members/${who.publicId}${path}`, reader)).body.data
const find = async (query: string) => (await instance.get(`/staff/members?${query}`, instance.support)).body.data
const found = async (text: string) => (await find(`q=${encodeURIComponent(text)}`)).data.map((row: { id: string }) => row.id)

describe('member search', () => {
  it('finds a member by any word of the name, address, phone, code, id, payout address and transaction', async () => {
    const id = await instance.withdrawal(who, 20n, PAYOUT_ADDRESS)
    await sql`update payout_request set tx_hash = ${`0x${'ab'.repeat(32)}`} where public_id = ${id}`.execute(instance.at.db)
    const terms = ['ifeoma', 'Balog', 'adaeze bal', who.email.slice(0, 14).toUpperCase(), '234803', '+234 803 555-0118', who.referralCode]
    for (const text of [...terms, who.publicId, PAYOUT_ADDRESS.toUpperCase().replace('0X', '0x'), `0x${'AB'.repeat(32)}`])
      expect(await found(text), text).toContain(who.publicId)
    for (const text of ['alogun', "bal' | 'x", '%', '_f', `0x${'cd'.repeat(32)}`, '&!:*()'])
      expect(await found(text), text).not.toContain(who.publicId)
  })

  it('pages by the last row, filters by state, and masks phone numbers', async () => {
    const blocked = [await instance.person({ active: false }), await instance.person({ active: false })]
    const all = await find('state=blocked')
    expect(all.data.map((row: { id: string }) => row.id)).toEqual([blocked[1]?.publicId, blocked[0]?.publicId])
    expect(all.meta.total).toBe(2)
    const next = await find(`state=blocked&limit=1&before=${blocked[1]?.publicId}`)
    expect(next.data.map((row: { id: string }) => row.id)).toEqual([blocked[0]?.publicId])
    const [row] = (await find('q=ifeoma')).data
    expect(row.phone).toBe('+234 803 ••• ••18')
  })

  it('[I17] does not reveal masked phone numbers, addresses or people', async () => {
    const everywhere = async (q: string) =>
      (await instance.get(`/staff/search?q=${encodeURIComponent(q)}`, instance.support)).body.data.members.map(
        (row: { id: string }) => row.id,
      )
    const digits = '2348035550118'
    for (const search of [found, everywhere]) {
      expect(await search(digits)).toContain(who.publicId)
      expect(await search(digits.slice(0, 6))).toContain(who.publicId)
      // Otherwise a caller finds the number digit by digit in forty attempts, without an audit entry.
      for (let seen = 7; seen < digits.length; seen += 1) {
        for (const form of [digits.slice(0, seen), `+${digits.slice(0, seen)}`, `${digits.slice(0, 3)} (${digits.slice(3, seen)})`])
          expect([form, await search(form)]).toEqual([form, expect.not.arrayContaining([who.publicId])])
      }
      const address = PAYOUT_ADDRESS
      for (const part of [address.slice(0, -1), address.slice(2), `${address.slice(0, 10)}%`, `0x${'_'.repeat(40)}`])
        expect([part, await search(part)]).toEqual([part, expect.not.arrayContaining([who.publicId])])
      for (const text of [
        '%%',
        '__',
        '\\\\',
        '%ifeoma',
        'ifeom_',
        'IFE%',
        'іfeoma',
        'ｉｆｅｏｍａ',
        "ife' or '1'='1",
        'ife:*',
        'ife & bal',
        '!zz',
        '\0ife',
        'ife\0',
        'a'.repeat(99),
      ])
        expect([text, await search(text).catch(() => [])]).toEqual([text, expect.not.arrayContaining([instance.member.publicId])])
    }
    const status = async (q: string) => (await instance.get(`/staff/search?q=${encodeURIComponent(q)}`, instance.support)).status
    expect(
      await Promise.all(
        ['x'.repeat(101), '\0', 'a\u001bb', '\ud83d', '9'.repeat(100), '1,'.repeat(50), '0x'.repeat(50)].map((q) =>
          status(q.replace(/[\ud800-\udfff]/g, 'x')).then((code) => code < 500),
        ),
      ),
    ).not.toContain(false)
    expect(await status('x'.repeat(101))).toBe(400)
  })

  it.each([
    ['a word of the name', sql`to_tsvector('simple'::regconfig, name) @@ to_tsquery('simple'::regconfig, '''bal'':*')`],
    ['an address', sql`email like 'ada%'`],
    ['a phone number', sql`regexp_replace(phone, '\\D', '', 'g') like '2348%'`],
    ['blocked ones', sql`not is_active`],
  ])('uses an index for %s', async (_, where) => {
    const plan = await instance.at.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`explain select id from member where ${where}`.execute(tx)
    })
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index (Only )?Scan|Bitmap Index Scan/)
  })
})

describe('member view', () => {
  it('shows balances, holds, value, flags and open items', async () => {
    const { held, worthUsd, balances, coinPrice, flags, openItems, counts, member } = await page('')
    expect(held).toEqual({ usd: 20, coin: 0 })
    expect(worthUsd).toBeCloseTo(balances.depositWallet + 20 + coinPrice * balances.icoWallet, 6)
    expect(member).toMatchObject({ phone: '+234 803 ••• ••18', secondFactor: false, isStaff: false })
    expect(openItems).toMatchObject([{ kind: 'payout', text: 'A payout of 20.00 USD awaits approval' }])
    expect(counts).toMatchObject({ sessions: 1, tickets: 0, notes: 0 })
    expect(flags).toEqual([])
    await sql`update member set password_reset_at = ${instance.at.clock.now()} where id = ${who.id}`.execute(instance.at.db)
    const until = new Date(instance.at.clock.now().getTime() + 3 * 86_400_000).toISOString()
    expect((await page('')).flags).toMatchObject([{ code: 'RESET', until }])
  })

  it('shows the time zone of the newest sign-in if it is valid', async () => {
    const zoneAfter = async (...zones: string[]) => {
      const { publicId, email } = await instance.person()
      for (const zone of zones) {
        const call = { body: { email, password: TEST_PASSWORD }, headers: { 'time-zone': zone } }
        expect((await instance.at.call('POST', '/auth/login', call)).status).toBe(200)
      }
      return (await instance.get(`/staff/members/${publicId}`, instance.support)).body.data.member.timeZone
    }
    for (const odd of ['', 'Nowhere/At_All', '<img src=x>', '+05:00', `Africa/${'x'.repeat(400)}`])
      expect([odd, await zoneAfter(odd)]).toEqual([odd, undefined])
    expect(await zoneAfter('Europe/Zagreb', 'Africa/Lagos', 'Nowhere/At_All')).toBe('Africa/Lagos')
  })

  it('[I17] reveals phone and addresses only on request, and records it', async () => {
    const reveal = (field: string) => instance.post(`/staff/members/${who.publicId}/reveal`, instance.support, { field })
    expect((await reveal('phone')).body.data.values).toEqual(['+234 803 555 0118'])
    expect((await reveal('address')).body.data.values).toContain(PAYOUT_ADDRESS)
    expect((await reveal('email')).status).toBe(400)
    const rows = (await instance.audits(who.publicId)).filter((row) => row.action === 'staff.member.reveal')
    expect(rows).toHaveLength(2)
  })

  it('[RO-17] verifies a mail address once, ends unverified sessions, and does not trust the password', async () => {
    const fresh = await instance.person({ verified: false })
    const verify = (who_: Person) => instance.post(`/staff/members/${fresh.publicId}/verify`, who_, { reason: 'Seen the passport' })
    expect((await verify(instance.support)).status).toBe(404)
    expect((await verify(instance.maker)).status).toBe(200)
    expect((await instance.get('/profile', fresh)).status).toBe(401)
    expect((await verify(instance.maker)).body.message).toMatch(/already/)
  })

  it.each([
    ['notes', { text: 'x' }],
    ['verify', { reason: 'me' }],
    ['recovery', { secondFactor: true, reason: 'me' }],
    ['view-as', { reason: 'me' }],
  ])("rejects %s for the staff member's own account", async (what, body) => {
    expect((await instance.post(`/staff/members/${instance.maker.publicId}/${what}`, instance.maker, body)).body.message).toMatch(
      /Another staff member/,
    )
  })
})

describe('member view in the audit log', () => {
  let seen: Person
  beforeAll(async () => {
    seen = await instance.person()
    await fund(instance.at.db, seen.id, 'depositWallet', ONE)
  })
  const reads = () => {
    const wallet = walletId(seen.id, 'depositWallet')
    const pages = allRoutes.filter(({ method, path }) => method === 'GET' && path.startsWith('/staff/members/:id'))
    expect(pages.length).toBeGreaterThan(8)
    return [
      ...pages.map(({ path }) => path.replace(':id', seen.publicId)),
      `/staff/ledger/accounts/${wallet}`,
      `/staff/ledger/accounts/${wallet}/entries`,
    ]
  }
  const countViews = (by: Person) =>
    instance.audits(seen.publicId).then((rows) => rows.filter((row) => row.actor_id === by.id && row.action === 'staff.member.view').length)

  it('[I17] is recorded for every page about a member', async () => {
    for (const path of reads()) {
      const by = await instance.person({ role: 'SUPPORT' })
      expect([path, (await instance.get(path, by)).status, await countViews(by)]).toEqual([path, 200, 1])
    }
  })

  it('[I17] is recorded once for parallel pages, and not for missing objects', async () => {
    const by = await instance.person({ role: 'AUDITOR' })
    await instance.get('/staff/members/nobody/timeline', by)
    await instance.get('/staff/ledger/accounts/-9200/entries', by)
    expect(await instance.at.db.selectFrom('audit_event').select('action').where('actor_id', '=', by.id).execute()).toEqual([])
    await Promise.all(reads().map((path) => instance.get(path, by)))
    expect(await countViews(by)).toBe(1)
    instance.at.clock.advance(31 * 60_000)
    const { token } = await instance.at.signIn(by.id)
    await instance.get(`/staff/members/${seen.publicId}/notes`, { ...by, token })
    expect(await countViews(by)).toBe(2)
    instance.at.clock.advance(-31 * 60_000)
  })
})

describe('member pages', () => {
  it('list money, sign-ins, tickets and staff actions in one order, the same page by page', async () => {
    instance.at.clock.advance(60_000)
    await fund(instance.at.db, who.id, 'icoWallet', 3n * ONE)
    for (let n = 0; n < 4; n += 1) {
      await instance.withdrawal(who, 5n)
      instance.at.clock.advance(60_000)
      await instance.byTwo(`/staff/members/${who.publicId}/special-rcm`, { isSpecialRcm: n % 2 === 0, reason: `round ${n}` })
    }
    // The timeline includes the first view itself.
    await page('')
    const whole = await page('/timeline?limit=100')
    expect(whole.next).toBeUndefined()
    // Test deposits use a separate clock.
    const moments = whole.rows.filter((row: { kind: string }) => row.kind !== 'money').map((row: { at: string }) => Date.parse(row.at))
    expect(moments).toEqual(moments.toSorted((a: number, b: number) => b - a))
    expect(whole.rows).toContainEqual(
      expect.objectContaining({
        kind: 'staff',
        text: 'changed the special status',
        detail: '“round 3”',
        by: expect.objectContaining({ id: instance.maker.publicId }),
      }),
    )
    expect(whole.rows).toContainEqual(
      expect.objectContaining({ kind: 'money', text: 'Payout requested, on hold', amount: -5, asset: 'usd' }),
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
      expect((await instance.get(`/staff/members/${who.publicId}/timeline${odd}`, instance.support)).status).toBe(400)
  })

  it("mark an amount that moved between the member's wallets", async () => {
    const mover = await instance.person({ name: 'Mover' })
    await fund(instance.at.db, mover.id, 'nativeWallet', 8n * ONE)
    await post(instance.at.db, {
      kind: 'swapNative',
      cause: { type: 'member', id: String(mover.id) },
      at: instance.at.clock.now(),
      transfers: [{ from: { owner: mover.id, kind: 'nativeWallet' }, to: { owner: mover.id, kind: 'icoWallet' }, amount: 8n * ONE }],
    })
    const { rows } = (await instance.get(`/staff/members/${mover.publicId}/timeline?kinds=money`, instance.support)).body.data
    expect(rows.map((row: { amount: number; isInternal?: true }) => [row.amount > 0, row.isInternal])).toEqual([[true, true]])
  })

  it('page through the ledger to the first entry, without splitting a transfer', async () => {
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

  it('show sessions, team and upline', async () => {
    const child = await instance.person({ sponsorId: who.id })
    expect((await page('/sessions')).rows).toMatchObject([{ live: true, secondFactor: false }])
    expect((await page('/team')).rows).toMatchObject([{ id: child.publicId, status: true, stake: 0 }])
    expect((await instance.get(`/staff/members/${child.publicId}/team`, instance.support)).body.data.above).toMatchObject([
      { id: who.publicId },
    ])
    expect((await page('/tickets')).rows).toEqual([])
    for (const path of ['timeline', 'ledger', 'sessions', 'team', 'tickets', 'notes'])
      expect((await instance.get(`/staff/members/unknown/${path}`, instance.support)).status, path).toBe(404)
  })

  it("have a label for every kind of transfer that moves a member's wallet", () => {
    const moving = Object.entries(allTransfers).filter(([, { pairs }]) =>
      pairs.some((pair) => pair.some((side) => !side.startsWith('SYS-'))),
    )
    expect([...movingKinds, ...rewardKinds].toSorted()).toEqual(moving.map(([kind]) => kind).toSorted())
  })
})
