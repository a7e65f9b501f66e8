import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { readClock, readClockOffset } from '../../platform/db/follow-clock.ts'
import { DatabaseClock } from '../../platform/runtime/database-clock.ts'
import { addSandboxSheet } from './sandbox-sheet.ts'

async function sheetApp(env: Record<string, string> = {}): Promise<TestApp> {
  const { db } = await testDatabase()
  return testApp(db, {
    env,
    routes: () => undefined,
    addPages: (app, deps) => Promise.resolve(addSandboxSheet(app, db, deps)),
  })
}

/** Largest offset in seconds: 3,660 days. */
const TEN_YEARS = 3660 * 86_400
const OWN = { headers: { 'x-sandbox': '1' } }

describe('/sandbox/sheet', () => {
  it('lists the demo accounts only when the database has them', async () => {
    const app = await sheetApp()
    expect((await app.call('GET', '/sandbox/sheet')).body.accounts).toEqual([])
    await createTestMember(app.db, { email: 'amara@example.com' })
    const { body } = await app.call('GET', '/sandbox/sheet')
    expect(body.accounts).toContainEqual(expect.objectContaining({ email: 'admin@example.com', isStaff: true }))
    expect(body.accounts).toContainEqual(expect.objectContaining({ email: 'nova@example.com', isStaff: false }))
  })

  it('answers 404 without the sandbox', async () => {
    const app = await sheetApp({ SANDBOX: 'off' })
    expect((await app.call('GET', '/sandbox/sheet')).status).toBe(404)
    expect((await app.call('POST', '/sandbox/later', OWN)).status).toBe(404)
  })
})

describe('/sandbox/later', () => {
  it('moves the clock of all processes ahead by a day with each press, also of concurrent ones', async () => {
    const app = await sheetApp()
    const later = () => app.call('POST', '/sandbox/later', OWN)
    expect((await later()).status).toBe(200)
    expect((await Promise.all([later(), later()])).map(({ status }) => status)).toEqual([200, 200])
    expect(await readClockOffset(app.db)).toBe(3 * 86_400)
    const other = new DatabaseClock()
    await readClock(app.db, other)
    // Less than an hour passes between the two readings.
    expect(Math.round((other.now().getTime() - Date.now()) / 3_600_000)).toBe(72)
  })

  it('changes nothing when another site calls it, or ten years ahead', async () => {
    const app = await sheetApp()
    const before = await readClockOffset(app.db)
    expect((await app.call('POST', '/sandbox/later')).status).toBe(400)
    expect(await readClockOffset(app.db)).toBe(before)
    await app.db
      .updateTable('clock_offset')
      .set({ seconds: TEN_YEARS - 86_399 })
      .execute()
    expect((await app.call('POST', '/sandbox/later', OWN)).body.message).toContain('ten years')
    expect(await readClockOffset(app.db)).toBe(TEN_YEARS - 86_399)
  })
})
