import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { multipart, type UploadedImage } from '../../../test/multipart.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { reencode } from '../../platform/images/reencode-image.ts'
import { addReply, closeTicket, staffTicketPage, supportRoutes, ticketForStaff } from './index.ts'

let at: TestApp
let mine: string
let others: string
let myId: bigint
let staffId: bigint

/** Every member has one row to report. */
const ports = { findReceipt: async (_: unknown, memberId: bigint, row: { id: string }) => (row.id === `row-${memberId}` ? {} : undefined) }

const image = (width = 40, height = 30) => sharp({ create: { width, height, channels: 3, background: '#0aa' } })
const png = () => image().png().toBuffer()

async function send(path: string, token: string, fields: Record<string, string>, file?: UploadedImage) {
  const { payload, headers } = await multipart(fields, file)
  const reply = await at.app.inject({ method: 'POST', url: `/api/v1${path}`, headers: { ...headers, authorization: token }, payload })
  return { status: reply.statusCode, body: reply.json() }
}

async function newTicket(token = mine) {
  const { body } = await send(
    '/ticket/create',
    token,
    { title: 'Help', description: 'Where is it?' },
    { name: 'a.png', type: 'image/png', bytes: await png() },
  )
  return String(body.data.id)
}

beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: (bind) => supportRoutes(bind, ports) })
  const [me, other, staff] = [await createTestMember(db), await createTestMember(db), await createTestMember(db, { role: 'SUPPORT' })]
  myId = me.id
  staffId = staff.id
  mine = (await at.signIn(me.id)).token
  others = (await at.signIn(other.id)).token
})

describe('tickets', () => {
  it('[API-92] [API-89] [API-90] [EN-51] [EN-52] opens a ticket that its member can list and read', async () => {
    const id = await newTicket()
    const list = await at.call('GET', '/ticket?page=1&limit=25', { token: mine })
    expect(list.body.data.data[0]).toMatchObject({ id, title: 'Help', description: 'Where is it?', status: 'OPEN' })
    const one = await at.call('GET', `/ticket/${id}`, { token: mine })
    expect(one.body.data).toMatchObject({ id, updates: [] })
  })

  it('[VA-79] [VA-80] [VA-81] rejects a ticket without title, description or image', async () => {
    const file = { name: 'a.png', type: 'image/png', bytes: await png() }
    expect((await send('/ticket/create', mine, { description: 'x' }, file)).status).toBe(400)
    expect((await send('/ticket/create', mine, { title: 'x' }, file)).status).toBe(400)
    const without = await send('/ticket/create', mine, { title: 'x', description: 'y' })
    expect(without).toMatchObject({ status: 400, body: { message: 'This field is required' } })
  })

  it('[API-93] [VA-82] [VA-83] [EN-53] adds replies of the member and of staff in order', async () => {
    const id = await newTicket()
    expect((await send('/ticket/create-replay', mine, { ticketId: id, message: 'Any news?' })).status).toBe(200)
    await inTransaction(at.db, (tx) => addReply(tx, at.deps, { ticketId: id, authorId: staffId, role: 'SUPPORT', message: 'Soon.' }))
    const one = await at.call('GET', `/ticket/${id}`, { token: mine })
    expect(one.body.data.updates.map((update: { role: string; message: string }) => [update.role, update.message])).toEqual([
      ['USER', 'Any news?'],
      ['SUPPORT', 'Soon.'],
    ])
    expect((await send('/ticket/create-replay', mine, { ticketId: id, message: '  ' })).status).toBe(400)
  })

  it('records a staff answer for one mail, and marks the ticket until the member replies', async () => {
    const id = await newTicket()
    const answered = async () =>
      (await at.call('GET', '/ticket?page=1&limit=25', { token: mine })).body.data.data.find((row: { id: string }) => row.id === id)
        .answered
    const readMessages = () =>
      at.db.selectFrom('notification_event').selectAll().where('event', '=', 'support-answer').where('member_id', '=', myId).execute()
    const before = (await readMessages()).length
    expect(await answered()).toBe(false)
    await inTransaction(at.db, (tx) => addReply(tx, at.deps, { ticketId: id, authorId: staffId, role: 'SUPPORT', message: 'Secret.' }))
    expect(await answered()).toBe(true)
    const news = (await readMessages()).slice(before)
    expect(news.map((row) => row.facts)).toEqual([{ ticket: id, opened: at.clock.now().toISOString() }])
    expect((await send('/ticket/create-replay', mine, { ticketId: id, message: 'Thanks' })).status).toBe(200)
    expect(await answered()).toBe(false)
    expect(await readMessages()).toHaveLength(before + 1)
  })

  it('[I12] marks the notifications about a ticket as read for its owner only', async () => {
    const id = await newTicket()
    const read = async (token: string, ticket: string) => (await at.call('POST', `/notices/ticket/${ticket}/read`, { token })).status
    expect([await read(mine, id), await read(mine, id), await read(others, id), await read(mine, 'unknown')]).toEqual([200, 200, 404, 404])
  })

  it('[API-91] [ST-61] [ST-62] [ER-57] closes a ticket once and accepts no more messages', async () => {
    const id = await newTicket()
    const closed = await at.call('PATCH', `/ticket/${id}`, { token: mine, body: { status: 'CLOSED' } })
    expect(closed.body).toMatchObject({ statusCode: 200, message: 'Successfully closed' })
    expect((await at.call('GET', `/ticket/${id}`, { token: mine })).body.data.status).toBe('CLOSED')
    expect(await send('/ticket/create-replay', mine, { ticketId: id, message: 'Hello?' })).toMatchObject({
      status: 400,
      body: { message: 'This ticket is closed' },
    })
    expect((await at.call('PATCH', `/ticket/${id}`, { token: mine, body: { status: 'OPEN' } })).status).toBe(400)
  })

  it('[RO-14] answers 404 for tickets and images of others', async () => {
    const id = await newTicket()
    const { image: path } = (await at.call('GET', `/ticket/${id}`, { token: mine })).body.data
    expect((await at.call('GET', path, { token: mine })).status).toBe(200)
    expect((await at.call('GET', path, { token: others })).status).toBe(404)
    expect((await at.call('GET', `/ticket/${id}`, { token: others })).status).toBe(404)
    expect((await at.call('PATCH', `/ticket/${id}`, { token: others, body: { status: 'CLOSED' } })).status).toBe(404)
    expect((await send('/ticket/create-replay', others, { ticketId: id, message: 'x' })).status).toBe(404)
    expect((await at.call('GET', '/ticket', { token: others })).body.data.data).toEqual([])
  })

  it('serves an image through the member call only to its member, not to staff', async () => {
    const id = await newTicket()
    const { image: path } = (await at.call('GET', `/ticket/${id}`, { token: mine })).body.data
    expect((await at.call('GET', path, { token: mine })).status).toBe(200)
    expect((await at.call('GET', path, { token: others })).status).toBe(404)
    expect((await at.call('GET', path, { token: (await at.signIn(staffId)).token })).status).toBe(404)
  })

  it("attaches a row of the member's lists to a ticket, and no row of others", async () => {
    const file = { name: 'a.png', type: 'image/png', bytes: await png() }
    const report = (about: string) => send('/ticket/create', mine, { title: 'T', description: 'D', about }, file)
    const { body } = await report(`withdrawal.row-${myId}`)
    const { data } = (await at.call('GET', `/ticket/${body.data.id}`, { token: mine })).body
    expect(data.about).toEqual({ kind: 'withdrawal', id: `row-${myId}` })
    expect((await report('withdrawal.row-999')).status).toBe(404)
    for (const odd of ['withdrawal', 'With.x', 'a.b.c', 'x.<b>']) expect((await report(odd)).status).toBe(400)
  })

  it('[RO-13] rejects a staff answer before the newest message was read', async () => {
    const id = await newTicket()
    const say = (seen: string) =>
      inTransaction(at.db, (tx) => addReply(tx, at.deps, { ticketId: id, authorId: staffId, role: 'SUPPORT', message: 'Soon.', seen }))
    await say('none')
    await expect(say('none')).rejects.toMatchObject({ code: 'TICKET_MOVED_ON' })
    const readTexts = async () => (await ticketForStaff(at.db, id)).messages.map((one) => one.message)
    const [newest] = await readTexts()
    await send('/ticket/create-replay', mine, { ticketId: id, message: 'And now?' })
    await expect(say(newest?.id ?? '')).rejects.toMatchObject({ code: 'TICKET_MOVED_ON' })
    await say((await readTexts()).at(-1)?.id ?? '')
    expect((await readTexts()).map((one) => one.message)).toEqual(['Soon.', 'And now?', 'Soon.'])
  })

  it('returns a ticket to the staff queue when its member writes', async () => {
    const id = await newTicket()
    const waits = async () =>
      (await staffTicketPage(at.db, { view: 'waiting', staffId, limit: 100 })).rows.some(({ ticket }) => ticket.id === id)
    expect(await waits()).toBe(true)
    await inTransaction(at.db, (tx) => addReply(tx, at.deps, { ticketId: id, authorId: staffId, role: 'SUPPORT', message: 'Done?' }))
    expect(await waits()).toBe(false)
    await send('/ticket/create-replay', mine, { ticketId: id, message: 'No.' })
    expect(await waits()).toBe(true)
    await at.db.transaction().execute((tx) => closeTicket(tx, { ticketId: id, ownerId: null, at: at.clock.now() }))
    expect(await waits()).toBe(false)
  })
})

describe('long threads and many messages', () => {
  it('[API-90] return the newest 200 messages, and the ones before a given message', async () => {
    const id = await newTicket()
    const { id: ticketId } = await at.db.selectFrom('ticket').select('id').where('public_id', '=', id).executeTakeFirstOrThrow()
    await at.db
      .insertInto('ticket_message')
      .values(
        Array.from({ length: 450 }, (_, n) => ({
          ticket_id: ticketId,
          author_id: myId,
          role: 'USER',
          message: `message ${n + 1}`,
          created_at: at.clock.now(),
        })),
      )
      .execute()
    const texts: string[] = []
    let before = ''
    for (const expected of [200, 200, 50]) {
      const { body } = await at.call('GET', `/ticket/${id}${before}`, { token: mine })
      expect(body.data.updates).toHaveLength(expected)
      expect(body.data.hasEarlier).toBe(expected === 200 ? true : undefined)
      texts.unshift(...body.data.updates.map(({ message }: { message: string }) => message))
      before = `?before=${body.data.updates[0].id}`
    }
    expect(texts).toEqual(Array.from({ length: 450 }, (_, n) => `message ${n + 1}`))
    expect((await at.call('GET', `/ticket/${id}?before=x`, { token: mine })).status).toBe(400)
    expect((await at.call('GET', `/ticket/${id}${before}`, { token: others })).status).toBe(404)
  })

  it('[API-93] are limited per member, rejected images included', async () => {
    const limited = await testApp(at.db, { routes: (bind) => supportRoutes(bind, ports), env: { RATE_LIMIT_SCALE: '1' } })
    const token = (await limited.signIn((await createTestMember(at.db)).id)).token
    const id = await newTicket(token)
    const reply = async (as: string, bytes: Buffer<ArrayBufferLike>) => {
      const { payload, headers } = await multipart({ message: 'x', ticketId: id }, { name: 'a.png', type: 'image/png', bytes })
      return limited.app.inject({
        method: 'POST',
        url: '/api/v1/ticket/create-replay',
        headers: { authorization: as, ...headers },
        payload,
      })
    }
    const codes: number[] = []
    for (let call = 0; call < 31; call += 1) codes.push((await reply(token, Buffer.from('no image'))).statusCode)
    expect(codes).toEqual([...Array.from({ length: 29 }, () => 400), 429, 429])
    expect((await reply(token, await png())).headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect((await reply((await limited.signIn(staffId)).token, Buffer.from('no image'))).statusCode).not.toBe(429)
  })
})

describe('images', () => {
  const open = (file: UploadedImage) => send('/ticket/create', mine, { title: 'T', description: 'D' }, file)
  const padded = async (size: number) => {
    const bytes = await png()
    return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
  }

  it('[VA-84] [VA-87] [CO-41] are accepted with 1048576 bytes and rejected with one more', async () => {
    expect((await open({ name: 'a.png', type: 'image/png', bytes: await padded(1_048_576) })).status).toBe(200)
    expect(await open({ name: 'a.png', type: 'image/png', bytes: await padded(1_048_577) })).toMatchObject({
      status: 400,
      body: { message: 'File size should be less than 1 MB' },
    })
  })

  it.each([
    ['a script named png', Buffer.from('<script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['an archive', Buffer.from('504b0304140000000800', 'hex')],
    ['a truncated PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ])('rejects %s', async (_, bytes) => {
    expect(await open({ name: 'a.png', type: 'image/png', bytes })).toMatchObject({
      status: 400,
      body: { message: 'Please choose a JPEG, PNG or WebP image' },
    })
  })

  it('queue up to 20, and reject more at once until there is room', async () => {
    const file = { bytes: await image(600, 600).png().toBuffer(), claimedName: 'a.png', claimedType: 'image/png' }
    const done: bigint[] = []
    const upload = async (uploader: bigint) => {
      await reencode(uploader, file)
      done.push(uploader)
    }
    const turns = await Promise.allSettled([...Array.from({ length: 25 }, () => upload(1n)), upload(2n)])
    const refused = turns.flatMap((turn) => (turn.status === 'rejected' ? [turn.reason] : []))
    // The second uploader takes the place of the newest image of the first.
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'BUSY'))
    expect(done.indexOf(2n)).toBeLessThanOrEqual(2)
    expect((await reencode(1n, file)).contentType).toBe('image/webp')
  })

  it('above 4096 × 4096 pixels are rejected without decoding', async () => {
    const bytes = await image(5000, 5000).png({ compressionLevel: 9 }).toBuffer()
    expect((await open({ name: 'a.png', type: 'image/png', bytes })).status).toBe(400)
  })

  it('are re-encoded without metadata or trailing bytes, and served without active content', async () => {
    const tagged = await image()
      .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
      .jpeg()
      .toBuffer()
    const { body } = await open({ name: 'a.jpg', type: 'image/jpeg', bytes: Buffer.concat([tagged, Buffer.from('TRAILER')]) })
    const { image: path } = (await at.call('GET', `/ticket/${body.data.id}`, { token: mine })).body.data
    const reply = await at.app.inject({ method: 'GET', url: `/api/v1${path}`, headers: { authorization: mine } })
    expect(reply.headers['content-type']).toBe('image/webp')
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.headers['content-security-policy']).toContain('sandbox')
    const raw = reply.rawPayload.toString('latin1')
    expect(raw).not.toContain('SECRET-PLACE')
    expect(raw).not.toContain('TRAILER')
    expect((await sharp(reply.rawPayload).metadata()).width).toBe(40)
  })

  it('are rejected when the body is not multipart', async () => {
    expect((await at.call('POST', '/ticket/create', { token: mine, body: { title: 'x', description: 'y' } })).status).toBe(415)
    const kept = await at.db.selectFrom('ticket').select('id').where('member_id', '=', myId).where('title', '=', 'x').execute()
    expect(kept).toEqual([])
  })
})
