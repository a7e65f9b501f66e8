import { verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import type { Db } from '../../platform/db/database.ts'
import { readProof } from './read-proof.ts'
import { trustJobs, trustRoutes } from './index.ts'

const MEMBERS = 2_000

it('[I21] reads the paths of a member row by row, by key, even before the database has statistics of a new tree', async () => {
  const { db } = await testDatabase()
  const instance = await testApp(db, { routes: trustRoutes, jobs: trustJobs() })
  const member = await createTestMember(db)
  await sql`insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, created_at, updated_at)
    select 'proof-' || n, 'Member', 'proof' || n || '@example.com', '+12025550143', 'x', true, 'PROOF' || n, now(), now()
    from generate_series(1, ${MEMBERS}::int) n`.execute(db)
  await instance.runJobs()
  const rowsRead = async (tx: Db) => {
    const { rows } = await sql<{ rows: number }>`
      select (seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_xact_user_tables
      where relid = 'trust_node'::regclass`.execute(tx)
    return rows[0]?.rows ?? 0
  }
  const { proof, read } = await db.transaction().execute(async (tx) => {
    const before = await rowsRead(tx)
    const found = await readProof(tx, member.id)
    return { proof: found, read: (await rowsRead(tx)) - before }
  })
  await verifyProof(proof, member.publicId)
  // Eight leaves with three stored rows each at most; the tree has 500 rows.
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThanOrEqual(24)
})
