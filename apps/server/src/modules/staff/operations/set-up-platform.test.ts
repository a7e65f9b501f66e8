import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, fund } from '../../../../test/members.ts'
import { testClock } from '../../../platform/runtime/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { randomIds } from '../../../platform/runtime/ids.ts'
import { createLog } from '../../../platform/runtime/log.ts'
import { memberByEmail } from '../../members/index.ts'
import { hasSetupEnded } from '../../settings/index.ts'
import { grantRole } from '../people/grant-role.ts'
import { recordRejectedCommand } from './record-rejected-command.ts'
import { setUpPlatform } from './set-up-platform.ts'

const ADMIN = 'ada@gmail.com'
const deps: Deps = {
  config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }),
  clock: testClock('2026-03-02T09:00:00Z'),
  ids: randomIds,
  log: createLog('silent'),
}

const setUp = (db: Db, coinPrice: bigint, done = false) =>
  inTransaction(db, (tx) =>
    setUpPlatform(tx, deps, { admin: ADMIN, changes: [{ subject: 'price', value: { coinPrice } }], pool: [], done }),
  ).catch(async (error: unknown) => {
    await recordRejectedCommand(db, deps, 'staff.platform.set-up', error)
    throw error
  })

const grantAlone = async (db: Db, role: 'ADMIN' | 'FINANCE' | 'SUPPORT' | 'AUDITOR' | 'MEMBER') => {
  const { id } = (await memberByEmail(db, ADMIN)) ?? { id: 0n }
  const grant = { email: 'second@gmail.com', name: 'Second', phone: '', role }
  await inTransaction(db, (tx) => grantRole(tx, deps, { memberId: id, role: 'ADMIN' }, grant, 'x'))
}

const REFUSED = { code: 'STAFF_ONLY' }

describe('setup', () => {
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['is closed manually', (db) => setUp(db, 710_000n, true)],
    ['finds a second staff member', (db) => createTestMember(db, { role: 'AUDITOR' })],
    ...(['FINANCE', 'SUPPORT', 'AUDITOR'] as const).map((role): [string, (db: Db) => Promise<unknown>] => [
      `finds that a sole admin gave the role ${role} and removed it again`,
      async (db) => {
        await grantAlone(db, role)
        await grantAlone(db, 'MEMBER')
      },
    ]),
    ['finds a posting of a member', async (db) => fund(db, (await createTestMember(db)).id, 'depositWallet', 1n)],
  ])('[GN-04] [I7] makes no lasting change once it %s, and records the attempt', async (_, close) => {
    const { db } = await testDatabase()
    await setUp(db, 700_000n)
    await setUp(db, 710_000n)
    await close(db)
    const before = await db.selectFrom('setting').selectAll().execute()
    for (const done of [false, true]) await expect(setUp(db, 750_000n, done)).rejects.toMatchObject(REFUSED)
    expect(await db.selectFrom('setting').selectAll().execute()).toEqual(before)
    const attempts = db.selectFrom('audit_event').select(['actor_role', 'outcome']).where('action', '=', 'staff.platform.set-up')
    expect(await attempts.where('outcome', '<>', 'ok').execute()).toEqual([
      { actor_role: 'SYSTEM', outcome: 'STAFF_ONLY' },
      { actor_role: 'SYSTEM', outcome: 'STAFF_ONLY' },
    ])
  })

  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['the operator closes it', (db) => setUp(db, 710_000n, true)],
    ...(['ADMIN', 'FINANCE', 'SUPPORT', 'AUDITOR'] as const).map((role): [string, (db: Db) => Promise<unknown>] => [
      `the first admin gives the role ${role}`,
      (db) => grantAlone(db, role),
    ]),
  ])('[GN-04] opens the registration when %s, and not before', async (_, close) => {
    const { db } = await testDatabase()
    await setUp(db, 700_000n)
    expect(await hasSetupEnded(db)).toBe(false)
    await close(db)
    expect(await hasSetupEnded(db)).toBe(true)
    await expect(db.deleteFrom('setup_end').execute()).rejects.toThrow()
  })

  it('still makes the first admin after a rejected attempt', async () => {
    const { db } = await testDatabase()
    await expect(setUp(db, 0n)).rejects.toThrow()
    await setUp(db, 700_000n)
    expect((await memberByEmail(db, ADMIN))?.role).toBe('ADMIN')
  })
})
