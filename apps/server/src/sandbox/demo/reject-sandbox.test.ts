import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { platformFindings } from '../../diagnostics/platform.ts'
import { readConfig } from '../../platform/config/config.ts'
import { rejectSandbox } from './reject-sandbox.ts'

const { db } = await testDatabase()
const development = readConfig({ NODE_ENV: 'development' })
const production = { ...development, mode: 'production' as const, sandbox: false }
const close = vi.fn(() => Promise.resolve())
const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never)

/** Returns why a process does not start, its exit code, and the findings of the doctor about the clock. */
async function startWith(config: typeof development) {
  exit.mockClear()
  const reasons: string[] = []
  await rejectSandbox(config, { db, close } as never, (why) => reasons.push(why))
  const findings = await platformFindings(db, new Date(), config)
  return [reasons, exit.mock.calls.flat(), findings.filter(({ what }) => what.includes('clock')).map(({ state }) => state)]
}

it('starts in production on a database without sandbox data', async () => {
  expect(await startWith(production)).toEqual([[], [], []])
})

it.each([-1, 86_400])('does not start in production when the clock is moved by %i seconds, and the doctor reports it', async (seconds) => {
  await db.updateTable('clock_offset').set({ seconds }).execute()
  const why = [expect.stringContaining(`moves the platform's clock by ${seconds} seconds`)]
  expect(await startWith(production)).toEqual([why, [2], ['bad']])
  expect(await startWith(development)).toEqual([[], [], []])
  await db.updateTable('clock_offset').set({ seconds: 0 }).execute()
})

it('does not start in production on a database with the demo members', async () => {
  await createTestMember(db, { email: 'amara@example.com' })
  expect(await startWith(production)).toEqual([[expect.stringContaining('contains the demo members')], [2], []])
})
