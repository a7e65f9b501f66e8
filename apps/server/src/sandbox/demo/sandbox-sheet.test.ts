import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { fileClock, systemClock } from '../../platform/runtime/clock.ts'
import { addSandboxSheet } from './sandbox-sheet.ts'

async function sheetApp(env: Record<string, string> = {}): Promise<TestApp> {
  const { db } = await testDatabase()
  return testApp(db, {
    env,
    routes: () => undefined,
    addPages: (app, deps) => Promise.resolve(addSandboxSheet(app, db, deps)),
  })
}

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
  it('moves the clock of all processes ahead by a day with each press', async () => {
    const app = await sheetApp()
    const file = app.deps.config.clockFile ?? ''
    for (const days of [1, 2]) {
      expect((await app.call('POST', '/sandbox/later', OWN)).status).toBe(200)
      const ahead = (fileClock(file, systemClock).now().getTime() - Date.now()) / 86_400_000
      expect(ahead).toBeGreaterThan(days - 0.01)
      expect(ahead).toBeLessThan(days + 0.01)
    }
  })

  it('keeps a fixed clock fixed', async () => {
    const app = await sheetApp()
    const file = app.deps.config.clockFile ?? ''
    writeFileSync(file, '2026-03-02T09:00Z')
    await app.call('POST', '/sandbox/later', OWN)
    expect(fileClock(file, systemClock).now()).toEqual(new Date('2026-03-03T09:00Z'))
  })

  it('changes nothing when another site calls it, or ten years ahead', async () => {
    const app = await sheetApp()
    const file = app.deps.config.clockFile ?? ''
    expect((await app.call('POST', '/sandbox/later')).status).toBe(400)
    writeFileSync(file, '+3660d')
    expect((await app.call('POST', '/sandbox/later', OWN)).body.message).toContain('ten years')
    expect(fileClock(file, systemClock).now().getTime() - Date.now()).toBeLessThan(3660.1 * 86_400_000)
    rmSync(file)
  })
})
