import { beforeAll, expect, it } from 'vitest'
import { PAYOUT_ADDRESS } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'

let instance: StaffInstance
let who: Person
let payout: string
let bridge: string

beforeAll(async () => {
  instance = await staffInstance()
  who = await instance.person()
  payout = await instance.withdrawal(who, 20n)
  bridge = await instance.bridge(who, 30n)
})

const reveal = (kind: string, id: string, by = instance.support) => instance.post(`/staff/queues/${kind}/${id}/reveal`, by, {})

it('[I17] shows no page with a full payout address', async () => {
  const { rows } = (await instance.get(`/staff/members/${who.publicId}/ledger`, instance.maker)).body.data
  const transfers = [...new Set<string>(rows.map((row: { transferId: string }) => row.transferId))]
  const pages = [
    '/staff/audit',
    '/staff/queues/payouts',
    `/staff/queues/withdrawals/${payout}`,
    `/staff/queues/bridges/${bridge}`,
    ...transfers.flatMap((id) => [`/staff/ledger/transfers/${id}`, `/staff/ledger/transfers/${id}/receipts`]),
    ...['', '/timeline', '/ledger'].map((page) => `/staff/members/${who.publicId}${page}`),
    `/staff/search?q=${payout}`,
    `/staff/members?q=${PAYOUT_ADDRESS}`,
  ]
  expect(transfers.length).toBeGreaterThan(1)
  for (const page of pages) {
    const { status, body } = await instance.get(page, instance.maker)
    expect([page, status, JSON.stringify(body).toLowerCase().includes(PAYOUT_ADDRESS.toLowerCase())]).toEqual([page, 200, false])
  }
  const { body } = await instance.get(`/staff/queues/withdrawals/${payout}`, instance.maker)
  expect(body.data.address).toBe(`${PAYOUT_ADDRESS.slice(0, 6)}…${PAYOUT_ADDRESS.slice(-4)}`)
  expect(body.data.about.earlierPayouts[0].address).toBe(body.data.address)
})

it('[I17] reveals the address of one payout, and shows the view to the member', async () => {
  expect((await reveal('withdrawals', payout)).body.data).toEqual({ address: PAYOUT_ADDRESS })
  expect((await reveal('bridges', bridge)).status).toBe(200)
  const views = (await instance.audits(who.publicId)).filter((row) => row.action === 'staff.member.reveal')
  expect(views).toMatchObject([{ actor_id: instance.support.id, outcome: 'ok' }, { outcome: 'ok' }])
  const { body } = await instance.get('/profile/staff-actions', who)
  expect(body.data.rows[0].text).toBe('Viewed your phone number or payout addresses')
})

it('answers 404 for a deposit, another queue and an unknown payout', async () => {
  const deposit = await instance.deposit(who, 20n)
  for (const [kind, id] of [
    ['deposits', deposit],
    ['bridges', payout],
    ['withdrawals', 'unknown'],
  ] as const)
    expect([kind, (await reveal(kind, id)).status]).toEqual([kind, 404])
})
