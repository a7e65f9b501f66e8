import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { lockWaits } from '../../../../test/lock-waits.ts'
import { screeningJob, stageList } from '../../../../test/screening-calls.ts'
import { createTestMember, fund, type TestMember } from '../../../../test/members.ts'
import { type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { runJob } from '../../../jobs/job.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { setContact } from '../../members/index.ts'
import { activateScreeningList } from '../../screening/index.ts'
import { addAddress, requestWithdrawal } from '../../withdrawals/index.ts'

const FIVE = 5n * ONE
let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
})
const screen = () => runJob(instance.at.db, instance.at.deps, screeningJob, 'test')
const activate = (hash: string | null) => inTransaction(instance.at.db, (tx) => activateScreeningList(tx, hash, instance.at.clock.now()))
/** Changes the list while the transaction of `act` is open. */
const changeDuring = async <T>(hash: string | null, act: (tx: Tx) => Promise<T>): Promise<T> => {
  let changed: Promise<void> | undefined
  const result = await inTransaction(instance.at.db, async (tx) => {
    const found = await act(tx)
    // Sends the deferred statements of the act.
    await sql`select 1`.execute(tx)
    let isDone = false
    changed = activate(hash).finally(() => (isDone = true))
    await expect.poll(async () => isDone || (await lockWaits(instance.at.db)).length > 0).toBe(true)
    // The job compares all members with a list in force.
    if (isDone) await screen()
    return found
  })
  await changed
  await screen()
  return result
}

describe('a change that begins before a screening list is in force and commits after it', () => {
  it.each<[string, 'name' | 'address', (tx: Tx, member: TestMember, listed: { name: string; address: string }) => Promise<unknown>]>([
    ['a registration', 'name', (tx, _, { name }) => createTestMember(tx, { name })],
    ['a new name', 'name', (tx, { id }, { name }) => setContact(tx, id, { name }, instance.at.clock.now())],
    [
      'a new address',
      'address',
      (tx, { id }, { address }) => addAddress(tx, instance.at.deps, { memberId: id }, { address, network: 0, label: 'x', proved: false }),
    ],
    ['a payout', 'address', (tx, { id }, { address }) => requestWithdrawal(tx, instance.at.deps, { memberId: id, amount: FIVE, address })],
  ])('is compared when it is %s', async (title, kind, act) => {
    await activate(null)
    const known = await instance.person()
    await fund(instance.at.db, known.id, 'depositWallet', FIVE)
    const listed = { name: `Late ${title}`, address: `0x${Buffer.from(title.padEnd(20)).toString('hex')}` }
    const hash = await stageList(instance.at, [`EU,${title},${listed.name},,${listed.address},`])
    await changeDuring(hash, (tx) => act(tx, known, listed))
    expect(await instance.at.db.selectFrom('screening_hit').select('kind').where('reference', '=', title).execute()).toEqual([{ kind }])
  })

  it('leaves no hold on payouts when screening is switched off meanwhile', async () => {
    await activate(await stageList(instance.at, ['EU,1,Nobody Known,,,']))
    await screen()
    const { id } = await changeDuring(null, (tx) => createTestMember(tx))
    const { rows } = await sql`select screening_hold(${id}) as hold`.execute(instance.at.db)
    expect(rows).toEqual([{ hold: null }])
  })
})
