import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { onFileEnd } from '../../../test/on-file-end.ts'
import { createTestMember } from '../../../test/members.ts'
import { type Person, staffInstance } from '../../../test/staff-instance.ts'
import { type ReceivedWebhook, type WebhookReceiver, webhookReceiver } from '../../../test/webhook-receiver.ts'
import { secureRestored } from '../../cli/backup/secure-restored.ts'
import { alertFindings } from '../../diagnostics/alerts.ts'
import { retentionJob } from '../../jobs/retention.ts'
import { runOnce } from '../../jobs/run-worker.ts'
import { DAY_MS, HOUR_MS, testClock } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { eventJobs } from '../events/index.ts'
import { setActive } from '../members/index.ts'
import { stopAllEndpoints, webhookJobs, webhookRetention } from './index.ts'

// The verifying package compares the timestamp with the clock of the machine.
const clock = testClock(new Date().toISOString())
const instance = await staffInstance(clock, { WEBHOOK_NETWORKS: '127.0.0.1/32' })
const { db, deps } = instance.at
const reason = 'checked'
const run = (runMs?: number) => runOnce(db, deps, [...eventJobs, ...webhookJobs(runMs)])
/** Signs a person in again, because the tests move the clock past the end of sessions. */
const fresh = async (who: Person): Promise<Person> => ({ ...who, token: (await instance.at.signIn(who.id)).token })
const post = async (path: string, who: Person, body?: object) => instance.post(path, await fresh(who), body)
const get = async (path: string) => instance.get(path, await fresh(instance.maker))
const call = (what: string, body?: object) => post(`/staff/webhooks/${what}`, instance.maker, body)

let receiver: WebhookReceiver
beforeEach(async () => {
  await sql`update webhook_endpoint set state = 'ENDED', off_reason = 'STAFF'`.execute(db)
  receiver = await webhookReceiver()
})

const propose = (value: object) =>
  post('/staff/changes', instance.maker, { subject: 'webhook', value: { name: 'Books', url: receiver.url, ...value }, reason })
/** Saves an endpoint by two people. */
async function byTwo(value: object = {}): Promise<void> {
  const { id } = (await propose(value)).body.data
  expect((await post(`/staff/changes/${id}/approve`, instance.checker)).status).toBe(200)
}
async function approved(value: object = {}): Promise<string> {
  await byTwo(value)
  return (await get('/staff/webhooks')).body.data.endpoints[0].id
}
const newSecret = async (id: string): Promise<string> => (await call(`${id}/secret`, { reason })).body.data.secret
async function endpoint(value: object = {}) {
  const id = await approved(value)
  return { id, secret: await newSecret(id) }
}
const read = async (id: string) => (await get('/staff/webhooks')).body.data.endpoints.find((one: { id: string }) => one.id === id)
const deliveries = async (id: string) => (await get(`/staff/webhooks/${id}/deliveries`)).body.data.rows
const emit = async (subject: string, kind = 'purchase.created') =>
  void (await sql`insert into event_outbox (kind, objects) values (${kind}, ${subject})`.execute(db))
/** Returns true if one of the signatures belongs to a secret, whatever the time of the machine. */
const isSignedBy = (secret: string, webhook: ReceivedWebhook | undefined): boolean => {
  if (webhook === undefined) throw new Error('no webhook')
  const { id, headers, body } = webhook
  const signature = new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1000), body)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}
const subjects = () => receiver.received.map(({ body }) => JSON.parse(body).data.id)
const answerWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.answer = (response) => void response.writeHead(status, headers).end('answer')
}
/** The problems that the doctor reports about webhooks. */
const alerts = async () => (await alertFindings(db, clock.now())).filter(({ area }) => area === 'webhooks').map(({ what }) => what)
const mails = async () =>
  (
    await sql<{ recipient: string }>`select recipient from mail_outbox where created_at >= ${clock.now()} order by recipient`.execute(db)
  ).rows.map(({ recipient }) => recipient)

describe('webhook', () => {
  it('is signed by Standard Webhooks and names only public ids', async () => {
    const { id, secret } = await endpoint()
    const member = await createTestMember(db)
    await inTransaction(db, (tx) => setActive(tx, { id: member.id, isActive: false, at: clock.now() }))
    await run()
    const headers = receiver.received[0]?.headers as Record<string, string>
    const body = receiver.received[0]?.body ?? ''
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const data = { id: member.publicId, memberId: member.publicId }
    expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'member.deactivated', timestamp: at, data })
    expect(Buffer.byteLength(body)).toBeLessThan(20_000)
    expect(headers['content-type']).toBe('application/json')
    const { rows } = await sql<{ id: string }>`select event_id as id from event where subject = ${member.publicId}`.execute(db)
    expect(rows).toEqual([{ id: headers['webhook-id'] }])
    expect(await deliveries(id)).toMatchObject([{ eventId: headers['webhook-id'], state: 'DELIVERED', attempts: 1, status: 204 }])
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers)).toThrow()
  })

  it('has two signatures for 24 hours after a new secret, so that the receiver can change it meanwhile', async () => {
    const { id, secret } = await endpoint()
    const next = await newSecret(id)
    expect(next).not.toBe(secret)
    await emit('a')
    await run()
    expect([secret, next].map((known) => isSignedBy(known, receiver.received[0]))).toEqual([true, true])
    clock.advance(DAY_MS)
    await emit('b')
    await run()
    expect([secret, next].map((known) => isSignedBy(known, receiver.received[1]))).toEqual([false, true])
    expect(await read(id)).toMatchObject({ canSign: true, previousUntil: null })
  })

  it('mails all admins when one of them creates a secret', async () => {
    const admins = [instance.maker, instance.checker, instance.third].map(({ email }) => email)
    const mailed = async () => {
      const notices = await db.selectFrom('mail_outbox').select('recipient').where('template', '=', 'notice').execute()
      return admins.map((email) => notices.filter(({ recipient }) => recipient === email).length)
    }
    const before = await mailed()
    await endpoint()
    expect(await mailed()).toEqual(before.map((count) => count + 1))
  })

  it('is sent for chosen kinds only, from the approval on, once the endpoint has a secret', async () => {
    await emit('before')
    await run()
    const id = await approved({ kinds: ['ticket.opened'] })
    await emit('purchase')
    await emit('ticket', 'ticket.opened')
    await run()
    expect(receiver.received).toEqual([])
    await newSecret(id)
    await run()
    expect(subjects()).toEqual(['ticket'])
  })

  it('is tried ten times within three days, with the same id, and can then be sent again', async () => {
    const { id } = await endpoint()
    answerWith(500)
    await emit('a')
    await run()
    const began = clock.now().getTime()
    const waits: number[] = []
    for (let attempts = 1; attempts < 10; attempts += 1) {
      const [{ state, nextAttemptAt }] = await deliveries(id)
      expect(state).toBe('PENDING')
      waits.push(Math.round((new Date(nextAttemptAt).getTime() - clock.now().getTime()) / 1000))
      clock.advance(new Date(nextAttemptAt).getTime() - clock.now().getTime() - 1)
      await run()
      expect(receiver.received).toHaveLength(attempts)
      clock.advance(1)
      await run()
    }
    const planned = [5, 30, 120, 600, 3600, 14_400, 43_200, 86_400, 111_600]
    expect(waits.map((wait, index) => Math.abs(wait / (planned[index] ?? 0) - 1) <= 0.11)).toEqual(planned.map(() => true))
    expect((clock.now().getTime() - began) / DAY_MS).toBeGreaterThan(2.6)
    const [failed] = await deliveries(id)
    expect(failed).toMatchObject({ state: 'FAILED', attempts: 10, status: 500, answer: 'answer', error: null, nextAttemptAt: null })
    expect(failed.durationMs).toBeGreaterThanOrEqual(0)
    clock.advance(DAY_MS)
    await run()
    expect(new Set(receiver.ids())).toEqual(new Set([failed.eventId]))
    expect(receiver.received).toHaveLength(10)

    answerWith(204)
    expect((await call(`${id}/send-again`, { eventId: failed.eventId })).status).toBe(200)
    expect((await call(`${id}/send-again`, { eventId: failed.eventId })).status).toBe(404)
    await run()
    expect(receiver.ids()).toHaveLength(11)
    expect((await deliveries(id))[0]).toMatchObject({ state: 'DELIVERED', attempts: 1 })
    expect((await instance.audits(id)).at(-1)).toMatchObject({ action: 'staff.webhook.send-again', actor_id: instance.maker.id })
  })

  it('waits for Retry-After, in seconds or as a date, and at most a day', async () => {
    const { id } = await endpoint()
    const waitFor = async (status: number, header: string): Promise<number> => {
      answerWith(status, { 'retry-after': header })
      await emit(`a${header}`)
      await run()
      const [{ nextAttemptAt, eventId }] = await deliveries(id)
      await sql`delete from webhook_delivery where event_id = ${eventId}`.execute(db)
      return new Date(nextAttemptAt).getTime() - clock.now().getTime()
    }
    expect(await waitFor(500, '3600')).toBe(HOUR_MS)
    expect(await waitFor(500, new Date(clock.now().getTime() + HOUR_MS).toUTCString())).toBeGreaterThan(HOUR_MS - 1000)
    expect(await waitFor(500, '99999999')).toBe(DAY_MS)
    expect(await waitFor(500, 'soon')).toBeLessThan(6_000)
    // 503 is about the receiver, which then gets nothing else meanwhile.
    expect(await waitFor(503, '60')).toBe(60_000)
    answerWith(204)
    const before = receiver.received.length
    await emit('b')
    await run()
    expect(receiver.received).toHaveLength(before)
    clock.advance(60_000)
    await run()
    expect(receiver.received).toHaveLength(before + 1)
  })

  it('keeps the order of each object, and lets other objects pass', async () => {
    const { id } = await endpoint()
    receiver.answer = (response, { body }) => void response.writeHead(JSON.parse(body).data.id === 'stuck' ? 500 : 204).end()
    for (const subject of ['stuck', 'free', 'stuck', 'free', 'stuck']) await emit(subject)
    await run()
    expect(subjects().toSorted()).toEqual(['free', 'free', 'stuck'])
    await emit('stuck')
    answerWith(204)
    clock.advance(10_000)
    await run()
    expect(subjects().filter((subject) => subject === 'stuck')).toHaveLength(5)
    const order = (await deliveries(id))
      .filter((one: { subject: string }) => one.subject === 'stuck')
      .map((one: { eventId: string }) => one.eventId)
    const [first] = order.toReversed()
    expect(receiver.received.filter(({ body }) => body.includes('stuck')).map((one) => one.id)).toEqual([first, ...order.toReversed()])
  })

  it.each([
    ['during the time of a run', undefined],
    ['after the time of a run, which the slow one delays', 200],
  ])('is sent to one endpoint while another one does not respond, %s', async (_, runMs) => {
    const slow = await webhookReceiver()
    const waiting: (() => void)[] = []
    slow.answer = (response) => void waiting.push(() => response.writeHead(204).end())
    await endpoint({ url: slow.url })
    await endpoint()
    await emit('a')
    const running = run(runMs)
    await expect.poll(() => waiting.length).toBe(1)
    await expect.poll(subjects).toEqual(['a'])
    await pause(runMs ?? 0)
    await emit('b')
    await runOnce(db, deps, eventJobs)
    await expect.poll(subjects).toEqual(['a', 'b'])
    slow.answer = (response) => void response.writeHead(204).end()
    for (const end of waiting) end()
    await running
    expect(slow.received).toHaveLength(2)
  })
})

describe('endpoint', () => {
  it('gets one attempt at a time while it does not respond, and loses nothing', async () => {
    const { id } = await endpoint()
    receiver.answer = (response) => void response.destroy()
    await sql`insert into event_outbox (kind, objects) select 'purchase.created', 's' || n from generate_series(1, 1500) n`.execute(db)
    await run()
    const tried = receiver.received.length
    expect(tried).toBeLessThanOrEqual(20)
    expect(await read(id)).toMatchObject({ state: 'ON', waiting: 1000, failingSince: clock.now().toISOString() })
    clock.advance(6_000)
    await run()
    expect(receiver.received).toHaveLength(tried + 1)
    expect((await deliveries(id)).every(({ error }: { error: string | null }) => error === null || error === 'ECONNRESET')).toBe(true)
    answerWith(204)
    clock.advance(300_000)
    await run()
    clock.advance(300_000)
    await run()
    expect(new Set(subjects()).size).toBe(1500)
    expect(await read(id)).toMatchObject({ waiting: 0, failingSince: null })
  })

  it('ends when its receiver answers 410, and the admins get a mail', async () => {
    const { id } = await endpoint()
    answerWith(410)
    await emit('a')
    await emit('b')
    clock.advance(1000)
    await run()
    expect(await read(id)).toMatchObject({ state: 'ENDED', offReason: 'GONE' })
    expect(await mails()).toEqual([instance.maker, instance.checker, instance.third].map(({ email }) => email).toSorted())
    expect((await instance.audits(id)).at(-1)).toMatchObject({ action: 'webhook.end', actor_id: null })
    clock.advance(DAY_MS)
    const before = receiver.received.length
    await run()
    expect(receiver.received).toHaveLength(before)
    expect((await propose({ id })).status).toBe(404)
    expect((await call(`${id}/secret`, { reason })).status).toBe(404)
  })

  it('is switched off after five days without an accepted webhook, and continues when two people switch it on', async () => {
    const { id } = await endpoint()
    answerWith(500)
    const began = clock.now().toISOString()
    for (let day = 0; day < 5; day += 1) {
      await emit(`day-${day}`)
      await run()
      expect(await read(id)).toMatchObject({ state: 'ON', failingSince: began, fault: 'status 500', offSince: null })
      expect(await alerts()).toEqual(day === 0 ? [] : ['Webhooks to “Books” have failed for a day: status 500'])
      clock.advance(DAY_MS)
    }
    await emit('last')
    await run()
    expect(await read(id)).toMatchObject({ state: 'OFF', offReason: 'FAILING', offSince: clock.now().toISOString(), fault: 'status 500' })
    expect(await alerts()).toEqual(['Webhooks to “Books” are switched off, because it accepted nothing for five days'])
    expect(await mails()).toHaveLength(3)
    answerWith(204)
    await emit('while-off')
    await run()
    expect(subjects()).not.toContain('while-off')

    const { body } = await propose({ id })
    expect((await post(`/staff/changes/${body.data.id}/approve`, instance.maker)).status).toBe(400)
    expect((await read(id)).state).toBe('OFF')
    expect((await post(`/staff/changes/${body.data.id}/approve`, instance.checker)).status).toBe(200)
    expect([await alerts(), await read(id)]).toMatchObject([[], { fault: null, offSince: null, failingSince: null }])
    clock.advance(2 * DAY_MS)
    await run()
    expect(new Set(subjects())).toEqual(new Set([...[0, 1, 2, 3, 4].map((day) => `day-${day}`), 'last', 'while-off']))
  })

  it('sends nothing after a restore until two people switch it on and one creates its secret', async () => {
    const { id, secret } = await endpoint()
    answerWith(500)
    await emit('a')
    await run()
    answerWith(204)
    const restore = inTransaction(db, async (tx) => {
      await secureRestored(tx, deps)
      expect(await tx.selectFrom('webhook_endpoint').select('id').where('state', '=', 'ON').execute()).toEqual([])
      throw new Error('rolled back, because it also removes the staff')
    })
    await expect(restore).rejects.toThrow('rolled back')
    await inTransaction(db, (tx) => stopAllEndpoints(tx, clock.now()))
    clock.advance(HOUR_MS)
    await run()
    expect(receiver.received).toHaveLength(1)
    expect(await read(id)).toMatchObject({ state: 'OFF', offReason: 'RESTORED', canSign: false })
    expect(await alerts()).toEqual(['Webhooks to “Books” are switched off, because the database was restored'])
    await byTwo({ id })
    await run()
    expect(receiver.received).toHaveLength(1)
    const next = await newSecret(id)
    await run()
    const [first, again] = receiver.received
    expect(again?.id).toBe(first?.id)
    expect([isSignedBy(next, again), isSignedBy(secret, again)]).toEqual([true, false])
  })

  it('gets nothing when its address was changed by SQL, and the admins get a mail', async () => {
    const other = await webhookReceiver()
    const { id } = await endpoint()
    await sql`update webhook_endpoint set url = ${other.url} where public_id = ${id}`.execute(db)
    await emit('a')
    clock.advance(1000)
    await run()
    expect([other.received, receiver.received]).toEqual([[], []])
    expect(await read(id)).toMatchObject({ state: 'OFF', offReason: 'FORGED' })
    expect(await mails()).toHaveLength(3)
  })

  it('needs another secret after two people have approved another address', async () => {
    const other = await webhookReceiver()
    const { id } = await endpoint()
    await byTwo({ id, url: other.url })
    await emit('a')
    await run()
    expect([await read(id), other.received]).toMatchObject([{ url: other.url, canSign: false, state: 'ON' }, []])
    await newSecret(id)
    await run()
    expect(other.received).toHaveLength(1)
  })

  it('is refused with an address that is not public, and above ten endpoints', async () => {
    for (const url of ['https://10.0.0.1/', 'https://[::ffff:127.0.0.2]/', 'https://user@example.com/', 'ftp://example.com/', 'x'])
      expect([url, (await propose({ url })).status]).toEqual([url, 400])
    for (let count = 0; count < 10; count += 1) await approved({ name: `Books ${count}` })
    expect((await propose({})).body.message).toBe('Please end a webhook endpoint first')
  })

  it('is switched off and ended by one admin, and by nobody without the right', async () => {
    const { id } = await endpoint()
    expect((await post(`/staff/webhooks/${id}/stop`, instance.support, { reason, ends: true })).status).toBe(404)
    expect((await call(`${id}/stop`, { reason, ends: false })).status).toBe(200)
    expect((await call(`${id}/stop`, { reason, ends: false })).status).toBe(404)
    expect(await alerts()).toEqual([])
    await emit('a')
    await run()
    expect(receiver.received).toEqual([])
    expect((await call(`${id}/stop`, { reason, ends: true })).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'ENDED', offReason: 'STAFF' })
    expect((await instance.audits(id)).map(({ action }) => action).slice(-2)).toEqual(['staff.webhook.stop', 'staff.webhook.stop'])
  })

  it('answers 404 for the deliveries of another endpoint, and returns pages without gaps', async () => {
    const first = await endpoint()
    const second = await endpoint({ url: (await webhookReceiver()).url, kinds: ['ticket.opened'] })
    await sql`insert into event_outbox (kind, objects) select 'purchase.created', 'p' || n from generate_series(1, 60) n`.execute(db)
    await run()
    const page = async (before = '') => (await get(`/staff/webhooks/${first.id}/deliveries${before}`)).body.data
    const one = await page()
    const two = await page(`?before=${one.next}`)
    expect([one.rows.length, two.next]).toEqual([50, undefined])
    expect(new Set([...one.rows, ...two.rows].map(({ eventId }) => eventId)).size).toBe(60)
    const { eventId } = one.rows[0]
    expect((await call(`${second.id}/send-again`, { eventId })).status).toBe(404)
    expect((await get('/staff/webhooks/unknown/deliveries')).status).toBe(404)
    expect((await get(`/staff/webhooks/${first.id}/deliveries?before=x`)).status).toBe(400)
  })

  it('deletes deliveries after 30 days, and later events of the same object still arrive', async () => {
    const { id } = await endpoint()
    answerWith(500)
    await emit('a')
    await run()
    await emit('a')
    await run()
    await call(`${id}/stop`, { reason, ends: false })
    const old = new Date(clock.now().getTime() - 30 * DAY_MS - 1)
    await sql`
      update webhook_delivery set created_at = ${old} where id = (select min(d.id) from webhook_delivery d
        join webhook_endpoint e on e.id = d.endpoint_id where e.public_id = ${id} and d.state = 'PENDING')`.execute(db)
    await runOnce(db, deps, [retentionJob(webhookRetention)])
    expect(await deliveries(id)).toHaveLength(1)
    answerWith(204)
    await byTwo({ id })
    await run()
    expect(await deliveries(id)).toMatchObject([{ state: 'DELIVERED' }])
  })
})

it('is verified by the receiver of docs/webhooks.md', async () => {
  const code = /```js\n([^]+?)```/.exec(readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8'))?.[1] ?? ''
  const port = await freePort()
  const { id, secret } = await endpoint({ url: `http://127.0.0.1:${port}/` })
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onFileEnd(() => void child.kill())
  let printed = ''
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
  const forge = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => undefined,
    )
  await expect.poll(forge).toBe(400)
  // The example compares the time with the clock of the machine.
  clock.advance(Date.now() - clock.now().getTime())
  await emit('a')
  await run()
  expect(await deliveries(id)).toMatchObject([{ state: 'DELIVERED', status: 204 }])
  await expect.poll(() => printed).toBe('purchase.created a\n')
})
