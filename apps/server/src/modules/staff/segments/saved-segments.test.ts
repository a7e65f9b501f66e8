import { beforeAll, expect, it } from 'vitest'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'

let instance: StaffInstance
beforeAll(async () => {
  instance = await staffInstance()
})
const save = (name: string, criteria: object = { usdFrom: '500' }, by: Person = instance.support) =>
  instance.post('/staff/segments', by, { name, criteria })
const list = async (by: Person = instance.checker) => (await instance.get('/staff/segments', by)).body.data

it('is shared among staff, replaced under its name also by two people at once, and deleted', async () => {
  const replies = await Promise.all([save('Large'), save('large', { usdFrom: '900' }), save('Gone', { sign: 'frozen' })])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await list()).map(({ name }: { name: string }) => name.toLowerCase())).toEqual(['gone', 'large'])
  await save('Large', { usdFrom: '700', sign: 'linked' }, instance.maker)
  const [gone, large] = await list()
  expect(large.criteria).toEqual({ usdFrom: '700', sign: 'linked' })
  const drop = () => instance.post(`/staff/segments/${gone.id}/delete`, instance.support)
  expect([(await drop()).status, (await drop()).status]).toEqual([200, 404])
  expect(await list()).toEqual([large])
  expect((await instance.audits(gone.id)).map(({ action }) => action)).toEqual([
    'staff.segment.save',
    'staff.segment.delete',
    'staff.segment.delete',
  ])
})

it.each([
  ['no criterion', 'Empty', {}],
  ['criteria that nobody meets', 'Nobody', { usdFrom: '5', usdBelow: '5' }],
  ['an unknown criterion', 'Unknown', { everybody: true }],
  ['an empty name', ' ', { usdFrom: '5' }],
])('is not saved with %s', async (_, name, criteria) => {
  const before = await list()
  expect((await save(name, criteria)).status).toBe(400)
  expect(await list()).toEqual(before)
})

it('is limited to 50', async () => {
  const left = 50 - (await list()).length
  for (let n = 0; n < left; n += 1) expect((await save(`Segment ${n}`)).status).toBe(200)
  expect((await save('One more')).status).toBe(429)
  expect((await save('Segment 0', { usdFrom: '1' })).status).toBe(200)
})
