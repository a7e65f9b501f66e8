import { expect, it } from 'vitest'
import { testDatabase } from '../database.ts'
import { simulate } from '../ledger-simulator/simulator.ts'

const { db } = await testDatabase(1)

it('[RW-13] keeps every invariant through a story of crashes, repeats and stale workers', async () => {
  await expect(db.connection().execute((connection) => simulate(connection, 1, { audit: true }))).resolves.toBeUndefined()
})
