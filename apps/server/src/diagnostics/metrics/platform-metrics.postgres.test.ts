import { setTimeout as delay } from 'node:timers/promises'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { addPlatformMetrics } from './platform-metrics.ts'

it('counts a transfer once when a reading takes longer than the interval between two readings', async () => {
  const { db } = await testDatabase()
  const registry = new Registry()
  const everyMs = 1
  await addPlatformMetrics(registry, db, [], everyMs)
  const member = await createTestMember(db)
  await fund(db, member.id, 'depositWallet', 25n * ONE)
  const scrapes = await db.transaction().execute(async (tx) => {
    await sql`lock table ledger_transfer in access exclusive mode`.execute(tx)
    const first = registry.metrics()
    await delay(500)
    const second = registry.metrics()
    // Both wait for the lock, if the second one reads too.
    await delay(500)
    return [first, second]
  })
  await Promise.all(scrapes)
  await delay(500)
  expect(await registry.metrics()).toMatch(/^tizara_transferred_amount_total\{kind="testFunds",asset="USD"\} 25$/m)
})
