import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { TestReply } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { MONEY_CALLS, moneyInstance, type ReadyCall } from '../../money-calls.ts'
import { storedState } from '../../stored-state.ts'

const { db } = await testDatabase()
const REUSED = 'This idempotency key was used for another request'

const instance = await moneyInstance(db)
const who = await instance.person({ specialRcm: true })

/** Counts effects: transfers, deposits and proposals. */
const deeds = async () => {
  const { rows } = await sql<{ n: number }>`select ((select count(*) from ledger_transfer) + (select count(*) from deposit)
      + (select count(*) from staff_proposal))::int as n`.execute(db)
  return rows[0]?.n ?? 0
}
/** Sends a call and counts its effects. */
const sent = async (call: ReadyCall, key: string): Promise<TestReply & { did: number }> => {
  const before = await deeds()
  const reply = await instance.send(call, key)
  return { ...reply, did: (await deeds()) - before }
}
const isStaffs = (call: ReadyCall) => call.path.startsWith('/staff/')
/** Returns the same call with another figure, reason or receiver. */
const otherwise = ({ body, ...call }: ReadyCall): ReadyCall => {
  const figure = Object.keys(body).find((name) => typeof body[name] === 'number')
  if (figure !== undefined) return { ...call, body: { ...body, [figure]: Number(body[figure]) * 2 } }
  return { ...call, body: 'reason' in body ? { ...body, reason: 'another one' } : { ...body, nftId: 'nft-2' } }
}

it.each([
  ['forth', (names: string[]) => names],
  ['and back', (names: string[]) => names.toReversed()],
])('[I5] one key on every money route, %s: each has its own effect once, and repeats its own response', async (way, order) => {
  const key = `one-key-${way.replace(' ', '-')}`
  const calls: { route: string; call: ReadyCall; text: string }[] = []
  for (const route of order(MONEY_CALLS)) {
    const fresh = route === 'exchangeToMyWallet' ? await instance.person() : who
    const call = await instance.ready(route, fresh, instance.member)
    const reply = await sent(call, key)
    expect([route, reply.text, reply.did > 0]).toEqual([route, expect.stringContaining('"success":true'), true])
    expect(calls.map((one) => one.text)).not.toContain(reply.text)
    calls.push({ route, call, text: reply.text })
  }
  const before = await storedState(db)
  for (const { route, call, text } of [...calls, ...calls.toReversed()])
    expect([route, (await instance.send(call, key)).text]).toEqual([route, text])
  for (const { route, call } of calls) {
    const reply = await instance.send(otherwise(call), key)
    expect([route, reply.status, reply.body.message]).toEqual([route, 400, REUSED])
  }
  expect(await storedState(db)).toBe(before)
})

describe.each(MONEY_CALLS)('key of %s', (route) => {
  it('[I5] is useless for another member or item: no stored response, no second effect', async () => {
    const key = `own-${route}`
    const owner = await instance.person({ specialRcm: true })
    const first = await instance.ready(route, owner, instance.member)
    const answered = await instance.send(first, key)
    expect(answered.status).toBe(200)
    const others = isStaffs(first)
      ? instance.staff.filter((one) => one !== first.who)
      : [await instance.person({ specialRcm: true }), instance.leader]
    for (const other of others) {
      const before = await sql<{ n: bigint }>`select count(*) as n from ledger_transfer t
          where ${owner.id} in (t.debit_account / 16, t.credit_account / 16)`.execute(db)
      const reply = await instance.send({ ...first, who: other }, key)
      const after = await sql<{ n: bigint }>`select count(*) as n from ledger_transfer t
          where ${owner.id} in (t.debit_account / 16, t.credit_account / 16)`.execute(db)
      const ids = [...answered.text.matchAll(/"(?:id|proposalId|no)":"([^"]{8,})"/g)].map(([, id]) => id)
      expect(ids.filter((id) => id !== undefined && reply.text.includes(id))).toEqual([])
      // Two staff calls with different keys are two actions on a member, and the second is refused on one item.
      if (!isStaffs(first) || first.path.includes('/queues/') || first.path.includes('/changes/')) expect(after.rows).toEqual(before.rows)
    }
    // Neither a member with a staff key nor staff with a member's key succeeds.
    const crossed = await sent({ ...first, who: isStaffs(first) ? owner : instance.staff[0] }, key)
    expect([crossed.status >= 400, crossed.did, crossed.text === answered.text]).toEqual([true, 0, false])
    const second = await instance.ready(route, await instance.person({ specialRcm: true }), instance.member)
    if (second.path === first.path) return
    const elsewhere = await sent({ ...second, who: first.who }, key)
    expect([elsewhere.body.message, elsewhere.did]).toEqual([REUSED, 0])
  })

  it('[I5] stores a rejection, and has one effect in parallel', async () => {
    const owner = await instance.person({ specialRcm: true })
    const call = await instance.ready(route, owner, instance.member)
    const wrong = isStaffs(call) ? { ...call, path: call.path.replace(/[^/]{16,}/, 'nobody-knows-this-id') } : tooMuch(call)
    const refused = await sent(wrong, `refused-${route}`)
    if (wrong.path !== call.path || JSON.stringify(wrong.body) !== JSON.stringify(call.body)) {
      expect([refused.status >= 400, refused.did]).toEqual([true, 0])
      expect((await sent(wrong, `refused-${route}`)).did).toBe(0)
      const tried = await sent(call, `refused-${route}`)
      // A refused call consumes its key. An invalid one leaves it free.
      if (tried.status !== 200) expect([tried.body.message, tried.did]).toEqual([REUSED, 0])
    }
    const next = await instance.ready(route, await instance.person({ specialRcm: true }), instance.member)
    const alone = await instance.ready(route, await instance.person({ specialRcm: true }), instance.member)
    const once = (await sent(alone, `alone-${route}`)).did
    const before = await deeds()
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => instance.send(next, `race-${route}`)))
    expect(all.filter((reply) => ![200, 409].includes(reply.status)).map((reply) => reply.text)).toEqual([])
    expect(new Set(all.filter((reply) => reply.status === 200).map((reply) => reply.text)).size).toBeLessThanOrEqual(1)
    await instance.send(next, `race-${route}`)
    expect((await deeds()) - before).toBe(once)
  })
})

/** Sets an amount above every balance. Calls without an amount stay unchanged. */
const tooMuch = (call: ReadyCall): ReadyCall => {
  const name = ['amount', 'usd', 'stakeAmount', 'coinAmount'].find((one) => one in call.body)
  return name === undefined ? call : { ...call, body: { ...call.body, [name]: 8_000_000 } }
}

const ODD_KEYS: Record<string, string | string[]> = {
  empty: '',
  'a blank': ' ',
  'a tab': 'a\tb',
  'a blank inside': 'a b',
  'the form of generated keys': 'no key abc',
  'another alphabet': 'k\u00e9',
  'high bytes': '\u00ff\u00fe',
  'a deleted character': 'k\u007f',
  '256 characters': 'k'.repeat(256),
  '8,000 characters': 'k'.repeat(8000),
  'two keys': ['key-one', 'key-two'],
  'a list in one': 'key-one, key-two',
}
it.each(Object.entries(ODD_KEYS))('[I5] rejects any key other than 1 to 255 printable characters: %s', async (_, key) => {
  const calls: (ReadyCall & { route: string })[] = []
  for (const route of MONEY_CALLS) calls.push({ route, ...(await instance.ready(route, who, instance.member)) })
  const before = await storedState(db)
  for (const { route, path, who: caller, body } of calls) {
    const reply = await instance.at.app.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { authorization: caller?.token ?? '', 'idempotency-key': key },
      payload: body,
    })
    expect([route, reply.statusCode, reply.body]).toEqual([route, 400, expect.stringContaining('"success":false')])
  }
  expect(await storedState(db)).toBe(before)
})

it.each([
  ['case', 'case-key', 'CASE-KEY'],
  ['their last character', 'end-key', 'end-key.'],
  ['quotes', 'q-key', '"q-key"'],
])('[I5] treats keys that differ by %s as two', async (_, one, other) => {
  const call = await instance.ready('nftToDepositWallet', who, instance.member)
  const replies = [await sent(call, one), await sent(call, other), await sent(call, one), await sent(call, other)]
  expect(replies.map(({ status, did }) => [status, did])).toEqual([
    [200, 1],
    [200, 1],
    [200, 0],
    [200, 0],
  ])
})
