import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { runJob } from '../../jobs/job.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { renewPasswordHash, setPasswordHash } from '../members/index.ts'
import { accessJournalJob, journalName, readJournal } from './index.ts'
import { journalFile } from './access-journal-file.ts'

const { db } = await testDatabase()
let at: TestApp
let file: string
let copy: string
const save = (deps = at.deps) => runJob(db, deps, accessJournalJob, 'test')
const textOf = (name: string) => readFileSync(name, 'utf8')
const read = async (config = at.deps.config) => readJournal(config, await journalName(db))
const lineCount = async () => {
  const found = await read()
  return 'lines' in found ? found.lines.length : found.refused
}
/** Ends access of a new member, which adds one line. */
const block = async () => {
  const { id } = await createTestMember(db)
  await db.updateTable('member').set({ is_active: false }).where('id', '=', id).execute()
}

beforeEach(async () => {
  at = await testApp(db, { routes: () => undefined })
  await save()
  const name = await journalName(db)
  ;[file, copy] = [journalFile(at.deps.config, name), journalFile(at.deps.config, name, 'copy')]
})

const member = () => createTestMember(db, { role: 'SUPPORT' })
const created = new Date('2026-03-01T00:00:00Z')
/** Each way to end access, and the line that it adds. */
const ENDS: Readonly<Record<string, () => Promise<{ kind: string; subject: string; value: string }>>> = {
  'a role': async () => {
    const { id, publicId: subject } = await member()
    await db.updateTable('member').set({ role: 'MEMBER' }).where('id', '=', id).execute()
    return { kind: 'role', subject, value: 'MEMBER' }
  },
  'a blocked account': async () => {
    const { id, publicId: subject } = await member()
    await db.updateTable('member').set({ is_active: false }).where('id', '=', id).execute()
    return { kind: 'active', subject, value: 'false' }
  },
  'a suspension': async () => {
    const { id, publicId: subject } = await member()
    await db.updateTable('member').set({ suspended_until: created }).where('id', '=', id).execute()
    return { kind: 'suspension', subject, value: '2026-03-01T00:00:00.000000Z' }
  },
  'a password': async () => {
    const { id, publicId: subject } = await member()
    // A new hash of the same password adds no line.
    await inTransaction(db, (tx) => renewPasswordHash(tx, { id, passwordHash: 'renewed', at: created }))
    await inTransaction(db, (tx) => setPasswordHash(tx, { id, passwordHash: 'changed', at: created }))
    return { kind: 'password', subject, value: '' }
  },
  'a changed address': async () => {
    const { id, publicId: subject } = await createTestMember(db)
    await db
      .updateTable('member')
      .set({ email: `moved-${id}@gmail.com` })
      .where('id', '=', id)
      .execute()
    return { kind: 'email', subject, value: '' }
  },
  'a passkey': async () => {
    const { id } = await member()
    const key = { credential_id: `c${id}`, public_key: 'k', counter: 0n, may_sync: false, synced: false, name: 'key', created_at: created }
    await db
      .insertInto('passkey')
      .values({ ...key, public_id: `key-${id}`, member_id: id })
      .execute()
    await db.deleteFrom('passkey').where('member_id', '=', id).execute()
    return { kind: 'passkey', subject: `key-${id}`, value: '' }
  },
  'an authenticator app': async () => {
    const { id, publicId: subject } = await createTestMember(db)
    const app = { member_id: id, encrypted_secret: Buffer.from('x'), created_at: created, confirmed_at: created }
    await db.insertInto('second_factor').values(app).execute()
    await db.deleteFrom('second_factor').where('member_id', '=', id).execute()
    return { kind: 'second-factor', subject, value: '2026-03-01T00:00:00.000000Z' }
  },
  'a recovery code': async () => {
    const { id } = await createTestMember(db)
    const app = { member_id: id, encrypted_secret: Buffer.from('x'), created_at: created, confirmed_at: created }
    await db.insertInto('second_factor').values(app).execute()
    const code = { member_id: id, salt: Buffer.alloc(16), code_digest: 'd', created_at: created }
    await db
      .insertInto('recovery_code')
      .values({ ...code, public_id: `code-${id}` })
      .execute()
    await db.deleteFrom('recovery_code').where('member_id', '=', id).execute()
    return { kind: 'recovery-code', subject: `code-${id}`, value: '' }
  },
  'a payout address': async () => {
    const { id } = await member()
    const address = { member_id: id, network: 1, address: '0x1', address_key: '0x1', label: 'mine', created_at: created }
    await db
      .insertInto('payout_address')
      .values({ ...address, public_id: `address-${id}` })
      .execute()
    await db.updateTable('payout_address').set({ removed_at: created }).where('member_id', '=', id).execute()
    return { kind: 'address', subject: `address-${id}`, value: '' }
  },
}

describe('access journal', () => {
  it.each(Object.entries(ENDS))('gets one line when %s ends', async (_, end) => {
    const expected = await end()
    const before = await lineCount()
    expect(await save()).toBe(1)
    const found = await read()
    expect('lines' in found ? found.lines.slice(Number(before)) : found).toEqual([expect.objectContaining(expected)])
    expect(textOf(copy)).toBe(textOf(file))
  })

  it('contains the committed rows after a kill, in each state of the files that a kill leaves', async () => {
    await block()
    await save()
    const [whole, lines] = [textOf(file), await lineCount()]
    const states: (() => void)[] = [
      () => rmSync(copy),
      () => truncateSync(file, whole.length - 9),
      () => truncateSync(copy, whole.length - 9),
      () => writeFileSync(file, `${whole.trimEnd().split('\n').slice(0, -1).join('\n')}\n{"line":`),
      () => writeFileSync(file, ''),
    ]
    for (const [index, leave] of states.entries()) {
      writeFileSync(file, whole)
      writeFileSync(copy, whole)
      leave()
      await save()
      expect([index, textOf(file), textOf(copy), await lineCount()]).toEqual([index, whole, whole, lines])
    }
  })

  it.each([
    ['a changed value', (text: string) => text.replace('"value":"false"', '"value":"true"'), 'was changed'],
    ['a line removed in the middle', (text: string) => text.split('\n').toSpliced(1, 1).join('\n'), 'line 2 was changed'],
    ['a missing last line', (text: string) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`, 'was shortened'],
    ['no line', () => '', 'was shortened'],
  ])('is rejected with %s', async (_, change, reason) => {
    await block()
    await save()
    writeFileSync(file, change(textOf(file)))
    expect(await read()).toEqual({ refused: expect.stringContaining(reason) })
  })

  it('is rejected under another key, and signed again while the previous key is known', async () => {
    await block()
    await save()
    const old = at.deps.config
    const renewed = { ...old, dataKey: 'n'.repeat(40), dataKeyPrevious: old.dataKey }
    const only = { ...renewed, dataKeyPrevious: undefined }
    expect(await read(only)).toEqual({ refused: expect.stringContaining('another DATA_KEY') })
    await expect(save({ ...at.deps, config: only })).rejects.toThrow('another DATA_KEY')
    await block()
    await save({ ...at.deps, config: renewed })
    expect(await read(only)).toEqual({ lines: expect.anything() })
    expect(textOf(copy)).toBe(textOf(file))
  })

  it('stops the job instead of continuing the file of another database', async () => {
    const line = await sql<{ id: bigint }>`insert into access_journal (line, kind, subject, value)
      select max(line) + 1, 'active', 'x', 'false' from access_journal returning id`.execute(db)
    await save()
    await db.transaction().execute(async (tx) => {
      await sql`alter table access_journal disable trigger all`.execute(tx)
      await sql`update access_journal set mark = gen_random_uuid() where id = ${line.rows[0]?.id}`.execute(tx)
      await sql`alter table access_journal enable trigger all`.execute(tx)
    })
    const text = textOf(file)
    await block()
    await expect(save()).rejects.toThrow('is not in this database')
    expect(textOf(file)).toBe(text)
  })
})
