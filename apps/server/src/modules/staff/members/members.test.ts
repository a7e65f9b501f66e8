import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { runJob } from '../../../jobs/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { rewardJobs } from '../../rewards/index.ts'
import { grantRole } from '../index.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'

let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
})

const FOUR_EYES = 'Another staff member has to approve this'

describe('members', () => {
  it('[RO-16] [ST-35] [RO-17] [I14] [I17] blocks at once, ends sessions, shows it in the profile, and needs two approvals to unblock', async () => {
    const who = await instance.person()
    const elsewhere = await instance.at.signIn(who.id)
    await instance.post(`/staff/members/${who.publicId}/end-sessions`, instance.maker, { reason: 'lost phone' })
    who.token = (await instance.at.signIn(who.id)).token
    expect((await instance.get('/profile', who)).body.data.status).toBe(true)
    expect((await instance.post(`/staff/members/${who.publicId}/status`, instance.maker, { status: false, reason: 'fraud' })).status).toBe(
      200,
    )
    expect(await instance.get('/profile', who)).toMatchObject({ status: 200, body: { data: { status: false, isActive: false } } })
    expect((await instance.get('/staff/overview', who)).status).toBe(401)
    expect((await instance.get('/profile', { ...who, token: elsewhere.token })).status).toBe(401)
    expect((await instance.get(`/staff/members/${who.publicId}`, instance.support)).body.data).toMatchObject({
      member: { status: false },
      sessions: 0,
    })
    expect((await instance.byTwo(`/staff/members/${who.publicId}/status`, { status: true, reason: 'cleared' })).status).toBe(200)
    expect((await instance.get('/profile', who)).status).toBe(401)
    const { token } = await instance.at.signIn(who.id)
    expect((await instance.get('/profile', { ...who, token })).body.data.status).toBe(true)
    expect((await instance.audits(who.publicId)).map((row) => [row.action, row.reason])).toEqual([
      ['staff.member.end-sessions', 'lost phone'],
      ['staff.member.block', 'fraud'],
      ['auth.suspended-call', null],
      ['staff.member.view', null],
      ['staff.member.unblock', 'cleared'],
    ])
  })

  it('[I14] removes the rights of a blocked staff member at once', async () => {
    const rogue = await instance.person({ role: 'ADMIN' })
    const victim = await instance.person()
    expect((await instance.get('/staff/overview', rogue)).status).toBe(200)
    const { body } = await instance.post(`/staff/members/${rogue.publicId}/status`, instance.maker, { status: false, reason: 'left' })
    await instance.post(`/staff/changes/${body.data.proposalId}/approve`, instance.checker, {})
    expect((await instance.post(`/staff/members/${victim.publicId}/status`, rogue, { status: false, reason: 'x' })).status).toBe(401)
  })

  it('ends all sessions of a member', async () => {
    const who = await instance.person()
    const second = await instance.at.signIn(who.id)
    await instance.post(`/staff/members/${who.publicId}/end-sessions`, instance.maker, { reason: 'lost phone' })
    expect((await instance.get('/profile', who)).status).toBe(401)
    expect((await instance.get('/profile', { ...who, token: second.token })).status).toBe(401)
  })

  it('ends the sessions of a staff member only with two other staff members', async () => {
    const colleague = await instance.person({ role: 'ADMIN' })
    const end = (who: Person) => instance.post(`/staff/members/${colleague.publicId}/end-sessions`, who, { reason: 'keeps us out' })
    const { proposalId } = (await end(instance.maker)).body.data
    expect((await instance.get('/staff/overview', colleague)).status).toBe(200)
    const approve = (who: Person) => instance.post(`/staff/changes/${proposalId}/approve`, who, { reason: 'seen' })
    const readProposal = async (who: Person) => (await instance.get(`/staff/changes/${proposalId}`, who)).body.data
    for (const who of [instance.maker, colleague]) {
      expect(await readProposal(who)).toMatchObject({ canDecide: false, whyNot: 'OWN' })
      expect((await approve(who)).body.message).toBe('Another staff member has to approve this')
    }
    expect(
      [await readProposal(instance.maker), await readProposal(colleague), await readProposal(instance.checker)].map(
        ({ mine, aboutYou }) => [mine, aboutYou],
      ),
    ).toEqual([
      [true, undefined],
      [false, true],
      [false, undefined],
    ])
    expect((await readProposal(instance.checker)).canDecide).toBe(true)
    const forMe = async (who: Person) => (await instance.get('/staff/overview', who)).body.data.work.changes.forMe
    expect([await forMe(instance.maker), await forMe(colleague), await forMe(instance.checker)]).toEqual([0, 0, 1])
    expect((await instance.get('/staff/overview', colleague)).status).toBe(200)
    expect((await approve(instance.checker)).status).toBe(200)
    expect((await instance.get('/staff/overview', colleague)).status).toBe(401)
    expect((await end(instance.support)).status).toBe(404)
  })

  it('finds members, and shows one with sponsor, balances and team', async () => {
    const sponsor = await instance.person({ name: 'Zora 100% Example' })
    const child = await instance.person({ sponsorId: sponsor.id })
    const find = async (text: string) =>
      (await instance.get(`/staff/members?q=${encodeURIComponent(text)}`, instance.support)).body.data.data
    expect((await find('zora 100%')).map((row: { id: string }) => row.id)).toEqual([sponsor.publicId])
    expect((await find(sponsor.referralCode.toLowerCase()))[0]).toMatchObject({ email: sponsor.email, referralCount: 1, sponsor: null })
    const { body } = await instance.get(`/staff/members/${child.publicId}`, instance.support)
    expect(body.data).toMatchObject({
      member: { sponsor: { id: sponsor.publicId } },
      balances: { depositWallet: 0 },
      sessions: 1,
      teamStake: 0,
    })
    expect((await instance.get('/staff/members/unknown', instance.support)).status).toBe(404)
  })

  it.each([
    ['status', { status: false }],
    ['special-rcm', { isSpecialRcm: true }],
    ['rank', { rank: 'Ambassador' }],
    ['end-sessions', {}],
  ])("rejects a decision about the staff member's own account: %s", async (what, input) => {
    const body = { ...input, reason: 'me' }
    expect((await instance.post(`/staff/members/${instance.maker.publicId}/${what}`, instance.maker, body)).body.message).toBe(FOUR_EYES)
  })
})

describe('rank set by staff', () => {
  it('[RO-17] is not changed by the programme, which ranks again after the rank is cleared', async () => {
    const { db, deps } = instance.at
    const who = await instance.person()
    const give = async (rank: string | null) =>
      (await instance.byTwo(`/staff/members/${who.publicId}/rank`, { rank, reason: 'chosen' })).body.message
    const rankNow = async () => {
      for (const job of rewardJobs.filter(({ name }) => name === 'team-totals')) await runJob(db, deps, job, 'test')
      const { body } = await instance.get(`/staff/members/${who.publicId}`, instance.support)
      return body.data.member.rank
    }
    expect(await give('Ambassador')).toBe('The change is now in effect')
    expect(await rankNow()).toBe('Ambassador')
    await sql`insert into team_total (member_id, people, stake, running) values (${who.id}, 1, 0, ${600_000n * ONE})`.execute(db)
    expect(await rankNow()).toBe('Ambassador')
    expect(await give(null)).toBe('The programme ranks the member again')
    expect(await rankNow()).toBe('silver')
    expect((await instance.audits(who.publicId)).filter(({ action }) => action === 'staff.member.rank')).toHaveLength(2)
    for (const rank of ['', ' ', 'x'.repeat(41), 7, undefined]) {
      const { status } = await instance.post(`/staff/members/${who.publicId}/rank`, instance.maker, { rank, reason: 'chosen' })
      expect(status, String(rank)).toBe(400)
    }
  })
})

describe('RCM credit', () => {
  const credit = (id: string, who: StaffInstance['maker'], amount: number, key?: string) =>
    instance.post(`/staff/members/${id}/credit-rcm`, who, { amount, reason: 'bonus' }, key)

  it('[GN-17] [MF-25] [RW-10] [RO-17] [I17] is given only to special members, and each credit is recorded', async () => {
    const who = await instance.person()
    expect((await credit(who.publicId, instance.maker, 5)).body.message).toBe('This wallet is for special members only')
    expect(await instance.balance(who, 'rcmWallet')).toBe(0n)
    await instance.byTwo(`/staff/members/${who.publicId}/special-rcm`, { isSpecialRcm: true, reason: 'chosen' })
    expect((await instance.byTwo(`/staff/members/${who.publicId}/credit-rcm`, { amount: 12.5, reason: 'bonus' })).status).toBe(200)
    expect(await instance.balance(who, 'rcmWallet')).toBe(1_250_000_000n)
    expect(await instance.audits(String(who.id))).toMatchObject([
      { action: 'rewards.credit-rcm', actor_id: instance.maker.id, reason: 'bonus', outcome: 'ok' },
    ])
  })

  it('[MF-25] [I5] [RW-10] needs two approvals for any amount, and has one effect per idempotency key and in parallel', async () => {
    const alone = await instance.person({ role: 'ADMIN' })
    const who = await instance.person({ specialRcm: true })
    const first = await credit(who.publicId, alone, 7, 'credit-7')
    expect((await credit(who.publicId, alone, 7, 'credit-7')).text).toBe(first.text)
    expect(await instance.balance(who, 'rcmWallet')).toBe(0n)
    const { proposalId } = first.body.data
    const approve = (by: StaffInstance['maker']) => instance.post(`/staff/changes/${proposalId}/approve`, by, {})
    expect((await approve(alone)).body.message).toBe(FOUR_EYES)
    const replies = await Promise.all([approve(instance.checker), approve(instance.third)])
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await instance.balance(who, 'rcmWallet')).toBe(7n * ONE)
  })

  it("is denied to the proposer's and the approver's own account", async () => {
    const special = await instance.person({ role: 'ADMIN', specialRcm: true })
    expect((await credit(special.publicId, special, 1)).body.message).toBe(FOUR_EYES)
    const { proposalId } = (await credit(special.publicId, instance.maker, 100_001)).body.data
    expect((await instance.post(`/staff/changes/${proposalId}/approve`, special, {})).body.message).toBe(FOUR_EYES)
    expect(await instance.balance(special, 'rcmWallet')).toBe(0n)
  })

  it('is rejected above the balance of the pool', async () => {
    const who = await instance.person({ specialRcm: true })
    expect((await credit(who.publicId, instance.third, 2_000_000)).status).toBe(400)
  })
})

describe('roles', () => {
  const grant = (actor: { id: bigint } | null, email: string, role: 'SUPPORT' | 'ADMIN') =>
    inTransaction(instance.at.db, (tx) =>
      grantRole(
        tx,
        instance.at.deps,
        actor === null ? null : { memberId: actor.id, role: 'ADMIN' },
        { email, name: 'New Person', phone: '', role },
        'hired',
      ),
    )

  it('need two admins for a new admin, and end the sessions of the earlier role', async () => {
    const who = await instance.person()
    const outcome = await grant(instance.maker, who.email, 'ADMIN')
    if (outcome.done) throw new Error('one admin was enough')
    expect((await instance.get('/staff/overview', who)).status).toBe(404)
    expect((await instance.post(`/staff/changes/${outcome.proposalId}/approve`, instance.checker, {})).status).toBe(200)
    expect((await instance.get('/profile', who)).status).toBe(401)
    const { token } = await instance.at.signIn(who.id)
    expect((await instance.get('/staff/overview', { ...who, token })).status).toBe(200)
  })

  it('granted by a sole admin may not decide for days, and all admins are notified', async () => {
    const small = await staffInstance()
    const { db, deps, clock } = small.at
    const others = [small.checker.id, small.third.id]
    await db.updateTable('member').set({ is_active: false }).where('id', 'in', others).execute()
    const grantAlone = (role: 'ADMIN' | 'FINANCE', email: string) =>
      inTransaction(db, (tx) =>
        grantRole(tx, deps, { memberId: small.maker.id, role: 'ADMIN' }, { email, name: 'Puppet', phone: '', role }, 'hired'),
      )
    const [puppet, teller] = [await small.person(), await small.person()]
    expect(await grantAlone('ADMIN', puppet.email)).toEqual({ done: true })
    const notified = await db.selectFrom('mail_outbox').select('recipient').where('template', '=', 'notice').orderBy('recipient').execute()
    expect(notified.map((mail) => mail.recipient)).toEqual([small.maker.email, small.support.email].toSorted())
    // The new admin needs a second approval, but cannot give one during the cooling-off period.
    const filed = await grantAlone('FINANCE', teller.email)
    if (filed.done) throw new Error('one admin was enough')
    const asPuppet = async () => ({ ...puppet, token: (await small.at.signIn(puppet.id)).token })
    const approveAs = async (path: string) => (await small.post(path, await asPuppet(), { reason: 'x' })).body.message
    const two = 'Another staff member has to approve this'
    expect(await approveAs(`/staff/changes/${filed.proposalId}/approve`)).toBe(two)
    const payout = await small.withdrawal(small.member, 10n)
    const large = await small.withdrawal(await small.person(), 2000n)
    for (const id of [payout, large]) expect(await approveAs(`/staff/queues/withdrawals/${id}/approve`)).toBe(two)
    clock.advance(3 * 86_400_000 - 1)
    expect(await approveAs(`/staff/changes/${filed.proposalId}/approve`)).toBe(two)
    clock.advance(1)
    expect(await approveAs(`/staff/changes/${filed.proposalId}/approve`)).not.toBe(two)
    expect(await approveAs(`/staff/queues/withdrawals/${payout}/approve`)).not.toBe(two)
  })

  it('granted by a sole admin may decide at once on an instance without members', async () => {
    const fresh = await staffInstance()
    const { db, deps } = fresh.at
    await db.updateTable('member').set({ is_active: false }).where('id', 'in', [fresh.checker.id, fresh.third.id]).execute()
    await db.updateTable('member').set({ role: 'SUPPORT' }).where('role', '=', 'MEMBER').execute()
    const grantee = { email: 'second@example.com', name: 'Second', phone: '', role: 'ADMIN' as const }
    await inTransaction(db, (tx) => grantRole(tx, deps, { memberId: fresh.maker.id, role: 'ADMIN' }, grantee, 'hired'))
    const { id } = await db.selectFrom('member').select('id').where('email', '=', grantee.email).executeTakeFirstOrThrow()
    const { body } = await fresh.post('/staff/changes', fresh.maker, { subject: 'price', value: { coinPrice: 0.0077 }, reason: 'x' })
    const approved = await fresh.at.call('POST', `/staff/changes/${body.data.id}/approve`, {
      token: (await fresh.at.signIn(id)).token,
      body: { reason: 'x' },
    })
    expect(approved.status).toBe(200)
  })

  it("reject a grant without an actor once there is an admin, and a change of the only admin's role", async () => {
    await expect(grant(null, 'x@example.com', 'ADMIN')).rejects.toMatchObject({ code: 'STAFF_ONLY' })
    const { db } = instance.at
    const active = db.selectFrom('member').select('id').where('role', '=', 'ADMIN').where('is_active', '=', true)
    const others = await active.where('id', '<>', instance.maker.id).execute()
    const ids = others.map(({ id }) => id)
    await db.updateTable('member').set({ is_active: false }).where('id', 'in', ids).execute()
    await expect(grant(instance.maker, instance.maker.email, 'SUPPORT')).rejects.toMatchObject({ code: 'FOUR_EYES' })
    await db.updateTable('member').set({ is_active: true }).where('id', 'in', ids).execute()
    await expect(grant(instance.support, 'x@example.com', 'ADMIN')).rejects.toMatchObject({ code: 'STAFF_ONLY' })
  })
})

it('[I17] show the audit log newest first, with search and paging', async () => {
  const page = async (query: string) => (await instance.get(`/staff/audit?${query}`, instance.maker)).body.data
  const all = await page('limit=1000')
  expect(all.meta.total).toBe(all.data.length)
  const later = await page(`limit=3&before=${all.data[2].id}`)
  expect(later.data).toEqual(all.data.slice(3, 6))
  const found = await page('q=member.block')
  expect(found.data.length).toBeGreaterThan(0)
  expect(new Set(found.data.map((row: { action: string }) => row.action))).toEqual(new Set(['staff.member.block']))
  expect(new Set(found.data.map((row: { text: string }) => row.text))).toEqual(new Set(['Blocked the member']))
  await instance.get('/staff/linked-accounts', instance.maker)
  await instance.get('/staff/changes', instance.maker)
  const views = (await page('q=page.view')).data.map((row: { text: string; about: string }) => `${row.text}: ${row.about}`)
  expect(views).toEqual(expect.arrayContaining(['Linked accounts', 'Proposals'].map((name) => `Viewed a page with personal data: ${name}`)))
  await expect(sql`delete from audit_event`.execute(instance.at.db)).rejects.toThrow(/append-only/)
})

it('show liabilities and reserves that match the ledger', async () => {
  const { data } = (await instance.get('/staff/overview', instance.maker)).body
  const today = data.balanceSheet.at(-1)
  const owed = await sql<{ usd: bigint }>`select coalesce(sum(balance), 0)::bigint as usd from ledger_account
    where asset = 'USD' and (owner_id is not null or kind in ('SYS-HOLD', 'SYS-REWARD'))`.execute(instance.at.db)
  expect(today).toMatchObject({ asset: 'usd', day: '2026-03-02' })
  expect(BigInt(Math.round(today.liabilities * 1e8))).toBe(owed.rows[0]?.usd)
})

describe('staff member as the subject of another', () => {
  const propose = (title: string, who: StaffInstance['maker']) =>
    instance.post('/staff/changes', who, { subject: 'popup', value: { title, message: title, isActive: true }, reason: 'x' })
  const approve = (id: string, who: StaffInstance['maker']) => instance.post(`/staff/changes/${id}/approve`, who, {})

  it('[I14] is blocked and unblocked only by two others', async () => {
    const rogue = await instance.person({ role: 'SUPPORT' })
    const block = (status: boolean) => instance.post(`/staff/members/${rogue.publicId}/status`, instance.maker, { status, reason: 'left' })
    const { proposalId } = (await block(false)).body.data
    expect((await instance.get('/staff/overview', rogue)).status).toBe(200)
    expect((await approve(proposalId, instance.maker)).body.message).toBe(FOUR_EYES)
    expect((await approve(proposalId, instance.checker)).status).toBe(200)
    expect((await instance.get('/staff/overview', rogue)).status).toBe(401)
    const back = (await block(true)).body.data.proposalId
    expect((await approve(back, instance.checker)).status).toBe(200)
    expect((await instance.get(`/staff/members/${rogue.publicId}`, instance.support)).body.data.member.isActive).toBe(true)
  })

  it('does not decide about their own block', async () => {
    const rogue = await instance.person({ role: 'ADMIN' })
    const { proposalId } = (await instance.post(`/staff/members/${rogue.publicId}/status`, instance.maker, { status: false, reason: 'x' }))
      .body.data
    expect((await approve(proposalId, rogue)).body.message).toBe(FOUR_EYES)
  })

  it.each(['blocked', 'demoted'])('leaves no open proposals or first approvals when %s', async (how) => {
    const gone = await instance.person({ role: 'ADMIN' })
    const mine = (await propose(`by ${how}`, gone)).body.data.id
    const late = (await propose(`late ${how}`, gone)).body.data.id
    const payout = await instance.withdrawal(await instance.person(), 3000n)
    const deposit = await instance.deposit(await instance.person(), 3000n)
    const first = (kind: string, id: string, who: StaffInstance['maker'], amount?: number) =>
      instance.post(`/staff/queues/${kind}/${id}/approve`, who, amount === undefined ? {} : { amount })
    await first('withdrawals', payout, gone)
    await first('deposits', deposit, gone, 3000)
    const { proposalId } =
      how === 'blocked'
        ? (await instance.post(`/staff/members/${gone.publicId}/status`, instance.maker, { status: false, reason: 'left' })).body.data
        : (await instance.post('/staff/roles', instance.maker, { email: gone.email, role: 'MEMBER', reason: 'left' })).body.data
    expect((await approve(proposalId, instance.checker)).status).toBe(200)
    expect((await approve(mine, instance.checker)).body.message).toContain('have changed since this was proposed')
    expect((await first('withdrawals', payout, instance.third)).body.data.status).toBe('WAITING')
    expect((await first('deposits', deposit, instance.third, 3000)).body.data.status).toBe('WAITING')
    // Also rejects a proposal that did not expire: the approval checks the maker's rights again.
    await instance.at.db.transaction().execute(async (tx) => {
      await sql`alter table staff_proposal disable trigger staff_proposal_fixed`.execute(tx)
      await sql`update staff_proposal set status = 'PENDING', ended_at = null, end_reason = null where public_id = ${late}`.execute(tx)
      await sql`alter table staff_proposal enable trigger staff_proposal_fixed`.execute(tx)
    })
    expect((await approve(late, instance.checker)).status).toBe(400)
  })

  it('becomes first admin alone only if there has never been a staff member', async () => {
    await instance.at.db.updateTable('member').set({ role: 'MEMBER' }).execute()
    const grant = { email: 'first@gmail.com', name: 'First', phone: '', role: 'ADMIN' as const }
    await expect(inTransaction(instance.at.db, (tx) => grantRole(tx, instance.at.deps, null, grant, 'start'))).rejects.toMatchObject({
      code: 'STAFF_ONLY',
    })
  })

  it('gets an unknown key of a proposal or decision named', async () => {
    instance = await staffInstance()
    const typo = await instance.post('/staff/changes', instance.maker, { subject: 'limits', value: { openInvoice: 3 }, reason: 'x' })
    expect(typo.status).toBe(400)
    expect(JSON.stringify(typo.body.errorMessages)).toContain('openInvoice')
    const id = await instance.withdrawal(await instance.person(), 30n)
    const extra = await instance.post(`/staff/queues/withdrawals/${id}/approve`, instance.maker, { reason: 'x', staffId: '1' })
    expect(JSON.stringify(extra.body.errorMessages)).toContain('staffId')
  })
})
