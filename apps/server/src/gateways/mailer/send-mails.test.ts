import { SMTPServer } from 'smtp-server'
import PostalMime, { type Email } from 'postal-mime'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { runOnce } from '../../jobs/run-worker.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { createMailer, enqueueMail, enqueueMails, mailJobs } from './index.ts'
import { claimMail } from './outbox.ts'

/** A real SMTP server with faults on demand. */
interface Post {
  port: number
  mails: Email[]
  /** Answer to the next recipients; undefined accepts them. */
  rejectWith: number | undefined
  close(): Promise<void>
}

async function openPost(port = 0): Promise<Post> {
  const post: Post = { port, mails: [], rejectWith: undefined, close: () => new Promise((resolve) => server.close(() => resolve())) }
  const deliver = async (raw: Buffer, done: () => void) => {
    post.mails.push(await PostalMime.parse(raw))
    done()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_, __, done) => {
      if (post.rejectWith === undefined) return done()
      done(Object.assign(new Error('not now'), { responseCode: post.rejectWith }))
    },
    onData: (stream, _, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => void deliver(Buffer.concat(chunks), done))
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address !== null && typeof address === 'object') post.port = address.port
  return post
}

let db: Db
let post: Post
let clock: ReturnType<typeof testClock>
let deps: Deps

beforeAll(async () => {
  db = (await testDatabase()).db
})
beforeEach(async () => {
  await db.deleteFrom('mail_outbox').execute()
  post = await openPost()
  clock = testClock('2026-03-02T09:00:00Z')
  const config = readConfig({
    NODE_ENV: 'test',
    SMTP_URL: `smtp://127.0.0.1:${post.port}`,
    MAIL_FROM: 'hello@tizara.test',
    PUBLIC_URL: 'https://tizara.test',
  })
  deps = { config, clock, ids: randomIds, log: createLog('silent') }
})
afterEach(() => post.close())

const enqueue = (options: { code?: string; notAfter?: Date; replaceKey?: string } = {}) =>
  inTransaction(db, (tx) =>
    enqueueMail(tx, deps, {
      to: 'ada@gmail.com',
      template: 'verification',
      data: { code: options.code ?? '123456', token: 'the-token' },
      ...(options.notAfter === undefined ? {} : { notAfter: options.notAfter }),
      ...(options.replaceKey === undefined ? {} : { replaceKey: options.replaceKey }),
    }),
  )
const job = () => runOnce(db, deps, mailJobs(createMailer(deps.config)))
const rows = () => db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()

describe('mail', () => {
  it("[GN-09] [GN-10] reaches the mail server with code, link, brand and a Message-ID of the sender's domain", async () => {
    await enqueue()
    await job()
    const [mail] = post.mails
    expect(mail).toMatchObject({
      from: { name: 'Tizara', address: 'hello@tizara.test' },
      to: [{ address: 'ada@gmail.com' }],
      subject: 'Tizara: confirm your registration',
    })
    expect(mail?.messageId).toMatch(/^<[\w-]{22}@tizara\.test>$/)
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain('123456')
      expect(body).toContain('https://tizara.test/auth/verify?token=the-token')
    }
  })

  it('is sent although the clock was set back after it was written', async () => {
    await enqueue()
    clock.advance(-24 * 3_600_000)
    await job()
    expect(post.mails).toHaveLength(1)
  })

  it('is sent once, and its contents are erased afterwards', async () => {
    await enqueue()
    await job()
    await job()
    clock.advance(3_600_000)
    await job()
    expect(post.mails).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'SENT', encrypted: null, sent_at: new Date('2026-03-02T09:00:00Z') }])
  })

  it('is sent once when several workers run at the same time', async () => {
    for (let count = 0; count < 10; count += 1) await enqueue()
    await Promise.all([job(), job(), job()])
    await job()
    expect(post.mails).toHaveLength(10)
    expect(new Set(post.mails.map((mail) => mail.messageId)).size).toBe(10)
  })

  it('is not sent when its transaction is rolled back', async () => {
    const failed = inTransaction(db, async (tx) => {
      await enqueueMail(tx, deps, { to: 'ada@gmail.com', template: 'notice', data: { name: 'Ada', title: 'x', lines: [] } })
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    await job()
    expect(post.mails).toEqual([])
  })

  it('carries no line break or markup of a name in its headers or page', async () => {
    const name = 'Ada\r\nBcc: everybody@gmail.com\r\n\r\n<img src=x onerror=alert(1)>'
    await inTransaction(db, (tx) =>
      enqueueMail(tx, deps, {
        to: 'ada@gmail.com',
        template: 'secondFactor',
        data: { name, on: true, at: new Date('2026-03-02T09:00:00Z') },
      }),
    )
    await inTransaction(db, (tx) =>
      enqueueMail(tx, deps, {
        to: 'ada@gmail.com',
        template: 'notice',
        data: { name: 'Ada', title: 'News\r\nBcc: everybody@gmail.com', lines: ['a & b'] },
      }),
    )
    await job()
    expect(post.mails).toHaveLength(2)
    for (const mail of post.mails) {
      expect(mail.bcc).toBeUndefined()
      expect(mail.to?.map((one) => one.address)).toEqual(['ada@gmail.com'])
      expect(mail.html).not.toContain('<img')
    }
    expect(post.mails[1]?.subject).toBe('Tizara: News Bcc: everybody@gmail.com')
    expect(post.mails[1]?.html).toContain('a &amp; b')
  })

  it('with a code is sent before 1,000 bulk mails that were queued earlier', async () => {
    const bulk = Array.from({ length: 1000 }, (_, number) => ({
      to: `member${number}@gmail.com`,
      template: 'notice' as const,
      data: { name: 'Ada', title: 'money came in', lines: [] },
      bulk: true,
    }))
    await inTransaction(db, (tx) => enqueueMails(tx, deps, bulk))
    clock.advance(60_000)
    await enqueue({ code: '314159' })
    const claim = () => claimMail(db, deps, new Date(clock.now().getTime() + 60_000))
    expect((await claim())?.mail?.text).toContain('314159')
    expect((await claim())?.mail?.to).toBe('member0@gmail.com')
  })

  it('[I15] is stored encrypted while it waits', async () => {
    await enqueue({ code: '987123' })
    const [row] = await rows()
    expect(row?.encrypted?.toString('latin1')).not.toContain('987123')
    expect(JSON.stringify({ ...row, id: null, encrypted: null })).not.toContain('987123')
  })

  it('[I15] is dropped when its recipient was changed in the database', async () => {
    await enqueue()
    await db.updateTable('mail_outbox').set({ recipient: 'thief@gmail.com' }).execute()
    await job()
    expect(post.mails).toEqual([])
    expect(await rows()).toMatchObject([{ status: 'DROPPED', encrypted: null }])
  })
})

describe('mail server failures', () => {
  it('delay a mail until the server is back, and send it once', async () => {
    await enqueue()
    await enqueue()
    const { port } = post
    await post.close()
    await job()
    expect(await rows()).toMatchObject([
      { status: 'WAITING', attempts: 1 },
      { status: 'WAITING', attempts: 0 },
    ])
    post = await openPost(port)
    clock.advance(4999)
    await job()
    expect(post.mails).toHaveLength(1)
    clock.advance(1)
    await job()
    await job()
    expect(post.mails).toHaveLength(2)
  })

  it('retry a temporary rejection with growing delays under the same Message-ID', async () => {
    await enqueue()
    post.rejectWith = 451
    for (const [index, pause] of [5000, 10_000, 20_000, 40_000].entries()) {
      await job()
      expect(await rows()).toMatchObject([
        { status: 'WAITING', attempts: index + 1, next_attempt_at: new Date(clock.now().getTime() + pause) },
      ])
      clock.advance(pause)
    }
    post.rejectWith = undefined
    await job()
    expect(post.mails.map((mail) => mail.messageId)).toEqual([`<${(await rows())[0]?.public_id}@tizara.test>`])
  })

  it('drop a mail after a permanent rejection', async () => {
    await enqueue()
    post.rejectWith = 550
    await job()
    expect(await rows()).toMatchObject([{ status: 'DROPPED', encrypted: null, attempts: 1 }])
  })

  it('delay only the rejected mail', async () => {
    await enqueue()
    post.rejectWith = 451
    await job()
    post.rejectWith = undefined
    await enqueue()
    await job()
    expect(post.mails).toHaveLength(1)
  })
})

describe('expired code', () => {
  it('is not mailed', async () => {
    await enqueue({ notAfter: new Date(clock.now().getTime() + 600_000) })
    post.rejectWith = 451
    await job()
    post.rejectWith = undefined
    clock.advance(600_000)
    await job()
    expect(post.mails).toEqual([])
    expect(await rows()).toMatchObject([{ status: 'DROPPED', encrypted: null }])
  })

  it('is replaced by a newer waiting one', async () => {
    await enqueue({ code: '111111', replaceKey: 'verification:1' })
    await enqueue({ code: '222222', replaceKey: 'verification:1' })
    await enqueue({ code: '333333', replaceKey: 'verification:2' })
    await job()
    expect(post.mails.map((mail) => /\d{6}/.exec(mail.text ?? '')?.[0])).toEqual(['222222', '333333'])
  })
})

describe('worker that dies between sending and recording a mail', () => {
  it('sends the mail again after the claim expires, under the same Message-ID', async () => {
    await enqueue()
    const mailer = createMailer(deps.config)
    const dying = {
      send: async (mail: Parameters<typeof mailer.send>[0]) => mailer.send(mail).then(() => new Promise<void>(() => undefined)),
    }
    void runOnce(db, deps, mailJobs(dying))
    await expect.poll(() => post.mails.length).toBe(1)
    await db.updateTable('job_lease').set({ held_until: null }).execute()
    await job()
    expect(post.mails).toHaveLength(1)
    clock.advance(60_000)
    await job()
    expect(new Set(post.mails.map((mail) => mail.messageId)).size).toBe(1)
    expect(await rows()).toMatchObject([{ status: 'SENT' }])
  })
})
