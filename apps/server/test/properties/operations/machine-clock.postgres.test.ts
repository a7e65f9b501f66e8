import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ONE } from '@tizara/money'
import { afterAll, expect, it } from 'vitest'
import { startApiProcess } from '../../api-process.ts'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fund } from '../../members.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { systemClock, testClock } from '../../../src/platform/runtime/clock.ts'
import { scheduleSettings } from '../../../src/modules/settings/index.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'machine-clock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MINUTE_MS = 60_000
/** Module hook that sets the machine's clock of a process forward. */
const AHEAD = (milliseconds: number) => `
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...parts) { parts.length === 0 ? super(Real.now() + ${milliseconds}) : super(...parts) }
    static now() { return Real.now() + ${milliseconds} }
  }`

it('sells at one price and records one time when the clock of an API machine is 10 minutes ahead', async () => {
  const { db, url } = await testDatabase()
  const app = await testApp(db, { routes: () => undefined, clock: testClock(systemClock.now()) })
  const member = await createTestMember(db)
  await fund(db, member.id, 'depositWallet', 100n * ONE)
  const { token } = await app.signIn(member.id)
  // The machine that is ahead would already use this price.
  const startsAt = new Date(systemClock.now().getTime() + 5 * MINUTE_MS)
  await inTransaction(db, (tx) =>
    scheduleSettings(tx, app.deps, [{ changes: { coinPrice: 400_000n }, startsAt, actorId: null, reason: 'test' }]),
  )
  const start = (ahead: number) =>
    startApiProcess({
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: url,
      DATA_DIR: folder,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(AHEAD(ahead))}`,
    })
  const processes = [await start(0), await start(10 * MINUTE_MS)]
  try {
    const answers = []
    for (const api of processes) {
      const headers = { authorization: token, 'content-type': 'application/json' }
      const settings = await fetch(`${api.url}/api/v1/general-settings`, { headers })
      const body = JSON.stringify({ coinPrice: 0.008, coinAmount: 1000 + answers.length, totalPrice: 8 + answers.length / 100 })
      const bought = await fetch(`${api.url}/api/v1/buy-token`, { method: 'POST', headers, body })
      answers.push([((await settings.json()) as { data?: { coinPrice?: number } }).data?.coinPrice, bought.status])
    }
    expect(answers).toEqual([
      [0.008, 200],
      [0.008, 200],
    ])
    const rows = await db.selectFrom('coin_purchase').select('created_at').orderBy('id').execute()
    const [first, second] = rows.map((row) => row.created_at.getTime())
    expect(Math.abs((second ?? 0) - (first ?? 0))).toBeLessThan(4 * MINUTE_MS)
  } finally {
    for (const { child } of processes) child.kill()
    await Promise.all(processes.map(({ ended }) => ended))
  }
})
