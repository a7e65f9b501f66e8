import { changeSubjects, type ChangeSubject } from '@tizara/contract/staff-changes'
import { expect, it } from 'vitest'
import { changedColumns, columnMarks } from '../../../../test/changed-columns.ts'
import { type Call, calls, house, openStaffApp, reason, staff } from '../../../../test/staff-calls.ts'
import type { Person } from '../../../../test/staff-house.ts'

await openStaffApp()

type Wish = Awaited<ReturnType<Call['prepare']>>
const proposal = (subject: ChangeSubject, value: object, more: object = {}) => ({
  path: '/staff/changes',
  body: { subject, value, reason, ...more },
})
const ready = (name: string) => async (by: Person) => {
  const call = calls[name]
  if (call === undefined) throw new Error(`no call for ${name}`)
  return call.prepare(by.token)
}
const colleague = (what: string, wish: object) => async () => {
  const { publicId } = await house.person({ role: 'ADMIN' })
  return { path: `/staff/members/${publicId}/${what}`, body: { ...wish, reason } }
}
let turn = 0
const nft = { title: 'A dome', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' }

/** What files a change of each subject; a subject without a row stops the types. */
const FILE: Record<ChangeSubject, (by: Person) => Promise<Wish>> = {
  price: () => Promise.resolve(proposal('price', { coinPrice: 0.0077 })),
  settings: () => Promise.resolve(proposal('settings', { allowedEmailDomains: ['proton.me'] })),
  plan: () => Promise.resolve(proposal('plan', { planName: 'A', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' })),
  nft: () => Promise.resolve(proposal('nft', { ...nft, name: `Dome ${(turn += 1)}` })),
  popup: () => Promise.resolve(proposal('popup', { title: 'T', message: String((turn += 1)), isActive: true })),
  limits: () => Promise.resolve(proposal('limits', { openInvoices: 7 })),
  programme: async (by) => proposal('programme', { referralPercent: 4 }, { simulation: await house.simulate(by, { referralPercent: 4 }) }),
  cover: () => Promise.resolve(proposal('cover', { committedCoin: 1 })),
  credit: ready('creditRcm'),
  fund: () => Promise.resolve({ path: '/staff/reward-pool/fund', body: { asset: 'coin', amount: 1, source: 'operator', reason } }),
  staff: ready('grantRole'),
  undo: ready('undoPurchase'),
  'cancel-rewards': ready('cancelRewards'),
  'second-factor': ready('resetSecondFactor'),
  sessions: colleague('end-sessions', {}),
  status: colleague('status', { status: false }),
  'lift-stop': ready('liftStop'),
  'chain-answer': ready('answerChain'),
  reversal: ready('reverseTransfer'),
  special: ready('setSpecialRcm'),
  rank: ready('setMemberRank'),
}
/** What only ADMIN decides. */
const HOUSE = /^(settings|limits|cover|staff|second-factor|sessions|status|lift-stop|chain-answer|special|rank)$/

const file = async (subject: ChangeSubject, by: Person): Promise<string> => {
  const { path, body } = await FILE[subject](by)
  const { body: said } = await house.post(path, by, body)
  const id: unknown = said.data?.changeId ?? said.data?.id
  if (typeof id !== 'string') throw new Error(`${subject}: ${JSON.stringify(said)}`)
  return id
}
const approve = async (id: string, by: Person, more: object = {}) => (await house.post(`/staff/changes/${id}/approve`, by, more)).status

/** A second account of somebody: below them, with traces of them. */
async function twinOf(one: Person): Promise<Person> {
  const twin = await house.person({ sponsorId: one.id, role: 'ADMIN' })
  const now = house.at.clock.now()
  const seen = { first_seen_at: now, last_seen_at: now, same_address: true, same_device: true, same_payout_address: false }
  await house.at.db
    .insertInto('shared_trace')
    .values({ member_id: twin.id, upline_id: one.id, level: 1, ...seen })
    .execute()
  return twin
}

/** What belongs to proposals, sessions and the trail. */
const WORDS = /^(audit_event|staff_change|session|member_view|refresh_token|mail_|notice_news|job_lease)/

/** The maker in another browser. */
const again = { ...house.maker, token: (await house.at.signIn(house.maker.id)).token }

it.each(changeSubjects)('[I7] a change of %s has two different people behind it, who both may and saw the same', async (subject) => {
  const { maker, checker, third, support } = house
  const twin = await twinOf(maker)
  const gone = await house.person({ role: 'ADMIN' })
  const fallen = await file(subject, gone)
  await house.at.db.updateTable('member').set({ is_active: false }).where('id', '=', gone.id).execute()
  const left = await columnMarks(house.at.db)
  expect(await approve(fallen, checker)).toBe(400)
  expect(changedColumns(left, await columnMarks(house.at.db)).filter((column) => !WORDS.test(column))).toEqual([])
  await house.post(`/staff/changes/${fallen}/refuse`, checker, { reason })

  const id = await file(subject, maker)
  const { seen, title } = (await house.get(`/staff/changes/${fallen}`, checker)).body.data
  expect(title).not.toMatch(/nothing$/)
  const before = await columnMarks(house.at.db)
  const tries: [who: string, answer: Promise<number>, status: number][] = [
    ['its maker', approve(id, maker), 400],
    ['its maker from another session', approve(id, again), 400],
    ['a second account of its maker', approve(id, twin), 400],
    ['support', approve(id, support), 404],
    ['an auditor', approve(id, staff.AUDITOR), 404],
    ['who saw another one', approve(id, third, { seen }), 400],
    ...(HOUSE.test(subject) ? [['finance', approve(id, staff.FINANCE), 404] as [string, Promise<number>, number]] : []),
  ]
  for (const [who, answer, status] of tries) expect([who, await answer]).toEqual([who, status])
  expect(changedColumns(before, await columnMarks(house.at.db)).filter((column) => !WORDS.test(column))).toEqual([])

  const own = (await house.get(`/staff/changes/${id}`, checker)).body.data.seen
  expect((await Promise.all([approve(id, checker, { seen: own }), approve(id, third, { seen: own })])).toSorted()).toEqual([200, 400])
  for (const who of [maker, twin, checker]) expect(await approve(id, who)).toBe(400)
})
