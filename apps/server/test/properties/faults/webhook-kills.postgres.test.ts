import { expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { playWebhooks } from '../../play-webhooks.ts'

it('1,000 events arrive in the order of each object while worker and receiver are killed', { timeout: 600_000 }, async () => {
  const { db, url } = await testDatabase()
  if (url === undefined) throw new Error('needs PostgreSQL')
  const { lost, outOfOrder, lags, repeats } = await playWebhooks(db, url, { events: 1_000, kills: 5 })
  expect([lost, outOfOrder]).toEqual([0, 0])
  expect(lags).toHaveLength(1_000 + repeats)
})
