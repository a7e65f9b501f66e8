/**
 * Sets the payout freeze of a seeded database to 0 hours. Each journey signs in from a new device, and staff could approve none of its
 * payouts on the same day. `known-devices.test.ts` tests the freeze.
 */
import { createDeps } from '../apps/server/src/main/deps.ts'
import { openPrepared } from '../apps/server/src/main/open-database.ts'
import { applySettings } from '../apps/server/src/modules/settings/index.ts'
import { inTransaction } from '../apps/server/src/platform/db/database.ts'

const deps = createDeps()
const database = await openPrepared(deps.config, { limits: false })
await inTransaction(database.db, (tx) => applySettings(tx, deps, { changes: { payoutHoldHours: 0 }, actorId: null, reason: 'journeys' }))
await database.close()
