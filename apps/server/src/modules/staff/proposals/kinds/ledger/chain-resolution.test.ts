import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { staffInstance } from '../../../../../../test/staff-instance.ts'
import { finalMac } from '../../../../../gateways/chain/final-transfer.ts'
import { hasOpenIncident } from '../../../../../gateways/chain/index.ts'
import { platformAlerts } from '../../../operations/platform-alerts.ts'

const instance = await staffInstance()
const reason = 'the key was changed'

it('a chain incident stays open and stops payouts until two staff members have resolved it', async () => {
  const { db } = instance.at
  const { rows } = await sql<{ id: string }>`insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('WALLET_SPENT', now(), 0, '[{"wallet": "0xaa", "token": "0xbb", "lacks": "7"}]') returning id::text`.execute(db)
  const id = rows[0]?.id ?? ''
  const incident = async () => (await platformAlerts(db, instance.at.clock.now())).find(({ name }) => name === `spent:${id}`)
  expect(await incident()).toMatchObject({ level: 'red', stops: true, text: expect.stringContaining('0xaa lacks 7 of 0xbb') })
  await db
    .insertInto('staff_incident')
    .values({ public_id: 'spent-1', name: `spent:${id}`, level: 'red', text: 'lacks', since: instance.at.clock.now() })
    .execute()
  expect((await instance.get('/staff/incidents', instance.maker)).body.data).toContainEqual(
    expect.objectContaining({ id: 'spent-1', answerableId: id }),
  )
  const ask = (body: object) => instance.post('/staff/chain/answer', instance.maker, { reason, ...body })
  expect((await ask({ about: 'incident', id, answer: 'GIVE_BACK' })).status).toBe(400)
  expect((await ask({ about: 'incident', id: '999', answer: 'SEEN' })).status).toBe(404)
  expect((await ask({ about: 'payout', id: 'none', answer: 'GIVE_BACK' })).status).toBe(404)
  const { body } = await ask({ about: 'incident', id, answer: 'SEEN' })
  const change = `/staff/changes/${body.data.proposalId}/approve`
  expect((await instance.post(change, instance.maker, { reason })).status).toBe(400)
  expect(await hasOpenIncident(db)).toBe(true)
  expect((await instance.post(change, instance.checker, { reason })).status).toBe(200)
  expect([await hasOpenIncident(db), await incident()]).toEqual([false, undefined])
  expect((await ask({ about: 'incident', id, answer: 'SEEN' })).status).toBe(404)
})

/** Stores a final payment at an address without an invoice. */
async function unclaimedPayment(keyIndex: number): Promise<{ address: string; line: string }> {
  const { db, deps, clock } = instance.at
  const [address, txHash, token] = [`0x${String(keyIndex).padStart(40, '0')}`, `0xt${keyIndex}`, `0x${'c0'.repeat(20)}`]
  await db
    .insertInto('chain_address')
    .values({ address, key_index: BigInt(keyIndex) })
    .execute()
  const paid = { chainId: 1, txHash, token, address, ordinal: 0, exact: '5', amount: 500_000_000n }
  const facts = { ...paid, block: 3n, blockTime: clock.now(), balanceFits: true }
  await db
    .insertInto('chain_transfer')
    .values({
      chain_id: 1n,
      tx_hash: txHash,
      token,
      address,
      ordinal: 0,
      exact_amount: '5',
      amount: facts.amount,
      block: 3n,
      block_time: facts.blockTime,
      state: 'FINAL',
      final_mac: finalMac(deps.config, 'USD', facts),
    })
    .execute()
  return { address, line: `${txHash} ${address} 0 5 USD` }
}

it('[I8] two admins give the address of an unclaimed payment to a member, and the incident ends with its last address', async () => {
  const { db, clock } = instance.at
  const [first, second, foreign] = [await unclaimedPayment(1), await unclaimedPayment(2), await unclaimedPayment(3)]
  const { rows } = await sql<{ id: string }>`insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('UNCLAIMED', ${clock.now()}, 3, ${JSON.stringify([first.line, second.line])}::jsonb) returning id::text`.execute(db)
  const id = rows[0]?.id ?? ''
  await sql`insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('UNCLAIMED', ${clock.now()}, 3, ${JSON.stringify([foreign.line])}::jsonb)`.execute(db)
  await db
    .insertInto('staff_incident')
    .values({ public_id: 'unclaimed-1', name: `unclaimed:${id}`, level: 'amber', text: 'unclaimed', since: clock.now() })
    .execute()
  const claims = async () => {
    const { body } = await instance.get('/staff/incidents', instance.maker)
    return body.data.find((one: { id: string }) => one.id === 'unclaimed-1')?.unclaimedAddresses
  }
  expect(await claims()).toEqual([first.address, second.address])
  const { member } = instance
  const ask = (body: object, who = instance.maker) =>
    instance.post('/staff/chain/answer', who, {
      about: 'incident',
      id,
      answer: 'CREDIT',
      address: first.address,
      email: member.email,
      reason,
      ...body,
    })
  for (const [wrong, expected] of [
    [{ email: 'no.such@example.com' }, 404],
    [{ email: undefined }, 404],
    [{ address: foreign.address }, 404],
    [{ address: undefined }, 404],
    [{ about: 'payout' }, 400],
    [{ id: '999' }, 404],
    // The member may be staff, and then must not decide about this credit.
    [{ email: instance.maker.email }, 400],
  ] as const)
    expect([wrong, (await ask(wrong)).status]).toEqual([wrong, expected])
  const deposits = () =>
    db
      .selectFrom('deposit')
      .select(['member_id', 'address', 'asset', 'amount', 'status', 'credited'])
      .where('method', '=', 'chain')
      .orderBy('id')
      .execute()
  const [proposal, duplicate] = [await ask({}), await ask({ email: instance.support.email })]
  const approve = async (reply: typeof proposal, who = instance.checker) =>
    (await instance.post(`/staff/changes/${reply.body.data.proposalId}/approve`, who, { reason })).status
  expect([await approve(proposal, instance.maker), await deposits()]).toEqual([400, []])
  expect(await approve(proposal)).toBe(200)
  const deposit = (address: string) => ({
    member_id: member.id,
    address,
    asset: 'USD',
    amount: 500_000_000n,
    status: 'PENDING',
    credited: 0n,
  })
  expect(await deposits()).toEqual([deposit(first.address)])
  // A second proposal about the same address does nothing.
  expect(await approve(duplicate)).toBe(400)
  expect([await deposits(), await claims(), (await ask({})).status]).toEqual([[deposit(first.address)], [second.address], 404])
  const open = () =>
    sql`select from chain_incident where id::text = ${id} and answered_at is null`.execute(db).then((found) => found.rows.length)
  expect(await open()).toBe(1)
  expect(await approve(await ask({ address: second.address }))).toBe(200)
  expect([await deposits(), await open()]).toEqual([[deposit(first.address), deposit(second.address)], 0])
})
