import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type StaffInstance, staffInstance } from '../../../../../test/staff-instance.ts'
import { hasOpenIncident } from '../../../../gateways/chain/index.ts'
import { platformAlerts } from '../../operations/platform-alerts.ts'

let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
})
const reason = 'the key was changed'

it('a chain incident stays open and stops payouts until two staff members have resolved it', async () => {
  const { db } = instance.at
  const { rows } = await sql<{ id: string }>`insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('WALLET_SPENT', now(), 0, '[{"wallet": "0xaa", "token": "0xbb", "lacks": "7"}]') returning id::text`.execute(db)
  const id = rows[0]?.id ?? ''
  const alarm = async () => (await platformAlerts(db, instance.at.clock.now())).find(({ name }) => name === `spent:${id}`)
  expect(await alarm()).toMatchObject({ level: 'red', stops: true, text: expect.stringContaining('0xaa lacks 7 of 0xbb') })
  await db
    .insertInto('staff_incident')
    .values({ public_id: 'spent-1', name: `spent:${id}`, level: 'red', text: 'lacks', since: instance.at.clock.now() })
    .execute()
  expect((await instance.get('/staff/incidents', instance.maker)).body.data).toContainEqual(
    expect.objectContaining({ id: 'spent-1', answers: id }),
  )
  const ask = (body: object) => instance.post('/staff/chain/answer', instance.maker, { reason, ...body })
  expect((await ask({ about: 'incident', id, answer: 'GIVE_BACK' })).status).toBe(400)
  expect((await ask({ about: 'incident', id: '999', answer: 'SEEN' })).status).toBe(404)
  expect((await ask({ about: 'payout', id: 'none', answer: 'GIVE_BACK' })).status).toBe(404)
  const { body } = await ask({ about: 'incident', id, answer: 'SEEN' })
  const change = `/staff/changes/${body.data.changeId}/approve`
  expect((await instance.post(change, instance.maker, { reason })).status).toBe(400)
  expect(await hasOpenIncident(db)).toBe(true)
  expect((await instance.post(change, instance.checker, { reason })).status).toBe(200)
  expect([await hasOpenIncident(db), await alarm()]).toEqual([false, undefined])
  expect((await ask({ about: 'incident', id, answer: 'SEEN' })).status).toBe(404)
})
