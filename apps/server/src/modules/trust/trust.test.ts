import { createHash } from 'node:crypto'
import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { trustRoutes, trustJobs } from './index.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

describe('reserves', async () => {
  const { db } = await testDatabase()
  const instance = await testApp(db, { routes: trustRoutes, jobs: trustJobs })
  const members = [await createTestMember(db), await createTestMember(db), await createTestMember(db)]
  for (const [index, member] of members.entries()) await fund(db, member.id, 'depositWallet', BigInt(index + 1) * 10n * ONE)

  it('states liabilities and reserves to everyone', async () => {
    const { body, status } = await instance.call('GET', '/trust')
    expect(status).toBe(200)
    expect(body.data.reserves).toEqual([
      { asset: 'usd', liabilities: 60, reserves: 60, ratio: 100 },
      { asset: 'coin', liabilities: 0, reserves: 15_000_000_000, ratio: null },
    ])
    expect(body.data.rewardPool).toContainEqual({ asset: 'coin', balance: 0, promised: 0, owed: 0, coverage: null })
    expect(body.data.proof).toBeNull()
  })

  it('[I12] gives each member a proof path from their balances to the published root, without balances of others', async () => {
    await instance.runJobs()
    const { proof } = (await instance.call('GET', '/trust')).body.data
    expect(proof).toMatchObject({ members: 3 })
    for (const [index, member] of members.entries()) {
      const { body, text } = await instance.call('GET', '/trust/my-proof', { token: (await instance.signIn(member.id)).token })
      const { leaf, leafHash, path, root } = body.data
      expect(root).toBe(proof.root)
      expect(leaf).toContain(`${member.publicId}|depositWallet=${(index + 1) * 1_000_000_000},`)
      let hash = sha256(leaf)
      expect(hash.toString('hex')).toBe(leafHash)
      for (const step of path) {
        const other = Buffer.from(step.hash, 'hex')
        hash = sha256(step.side === 'left' ? Buffer.concat([other, hash]) : Buffer.concat([hash, other]))
      }
      expect(hash.toString('hex')).toBe(root)
      for (const other of members.filter((one) => one !== member)) expect(text).not.toContain(other.publicId)
    }
  })

  it('builds one tree a day, and keeps the newest', async () => {
    await instance.runJobs()
    for (let day = 0; day < 5; day += 1) {
      instance.clock.advance(DAY_MS)
      await instance.runJobs()
    }
    const counted = await db
      .selectFrom('trust_snapshot')
      .select((of) => of.fn.countAll<bigint>().as('all'))
      .executeTakeFirstOrThrow()
    expect(counted.all).toBe(6n)
    const kept = await db.selectFrom('trust_leaf').select('snapshot_id').distinct().execute()
    expect(kept).toHaveLength(3)
    const late = await createTestMember(db)
    expect((await instance.call('GET', '/trust/my-proof', { token: (await instance.signIn(late.id)).token })).status).toBe(404)
  })
})
