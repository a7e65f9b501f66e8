import type { ProposalSubject } from '@tizara/contract/staff-changes'
import { confirmStaged } from '../src/modules/import/import-mac.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { openTestCase } from './case-calls.ts'
import { type Call, calls, instance, reason } from './staff-calls.ts'
import { stageList } from './screening-calls.ts'
import type { Person } from './staff-instance.ts'

/** Call that makes a proposal. */
type CallInput = Awaited<ReturnType<Call['prepare']>>
const proposal = (subject: ProposalSubject, value: object, more: object = {}) => ({
  path: '/staff/changes',
  body: { subject, value, reason, ...more },
})
const ready = (name: string) => async (by: Person) => {
  const call = calls[name]
  if (call === undefined) throw new Error(`no call for ${name}`)
  return call.prepare(by.token)
}
const colleague = (what: string, input: object) => async () => {
  const { publicId } = await instance.person({ role: 'ADMIN' })
  return { path: `/staff/members/${publicId}/${what}`, body: { ...input, reason } }
}
let turn = 0
const nft = { title: 'A dome', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' }

/** For tests: a call that makes a proposal for each subject. A missing subject does not compile. */
const submitters: Record<ProposalSubject, (by: Person) => Promise<CallInput>> = {
  price: () => Promise.resolve(proposal('price', { coinPrice: 0.0077 })),
  settings: () => Promise.resolve(proposal('settings', { allowedEmailDomains: ['proton.me'] })),
  plan: () => Promise.resolve(proposal('plan', { planName: 'A', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' })),
  nft: () => Promise.resolve(proposal('nft', { ...nft, name: `Dome ${(turn += 1)}` })),
  popup: () => Promise.resolve(proposal('popup', { title: 'T', message: String((turn += 1)), isActive: true })),
  limits: () => Promise.resolve(proposal('limits', { openInvoices: 7 })),
  programme: async (by) =>
    proposal('programme', { referralPercent: 4 }, { simulation: await instance.simulate(by, { referralPercent: 4 }) }),
  values: () => Promise.resolve(proposal('values', { networkFeePercent: 3, openInvoices: 8 })),
  import: async () => {
    const hash = (turn += 1).toString(16).padStart(64, 'a')
    const row = { hash, status: 'STAGED', members: 0, referrals: 0, usd: 0n, coin: 0n, staged_at: instance.at.clock.now() }
    await inTransaction(instance.at.db, async (tx) => {
      const { id } = await tx.insertInto('import_batch').values(row).returning('id').executeTakeFirstOrThrow()
      await confirmStaged(tx, instance.at.deps.config, id)
    })
    return proposal('import', { hash })
  },
  'payout-rules': () => {
    const rule = { action: 'queue', name: `Large ${(turn += 1)}`, kind: 'withdrawal', above: 100 }
    return Promise.resolve(proposal('payout-rules', { rules: [rule] }))
  },
  'api-key': () => Promise.resolve(proposal('api-key', { name: `Key ${(turn += 1)}`, rights: ['staffBusiness'], days: 30 })),
  brand: () => Promise.resolve(proposal('brand', { name: `Coral ${(turn += 1)}`, accent: '#1a73e8', terms: 'https://example.com/terms' })),
  'terms-of-use': () => Promise.resolve(proposal('terms-of-use', { text: `Terms ${(turn += 1)}` })),
  message: () => Promise.resolve(proposal('message', { title: `News ${(turn += 1)}`, text: 'Hello.', segment: {} })),
  webhook: () => Promise.resolve(proposal('webhook', { name: `Books ${(turn += 1)}`, url: 'https://example.com/hooks' })),
  'screening-list': async () => proposal('screening-list', { hash: await stageList(instance.at, [`EU,${(turn += 1)},Nobody Known,,,`]) }),
  screening: ready('decideScreening'),
  commitment: () => Promise.resolve(proposal('commitment', { committedCoin: 1 })),
  credit: ready('creditRcm'),
  fund: () => Promise.resolve({ path: '/staff/reward-pool/fund', body: { asset: 'coin', amount: 1, source: 'operator', reason } }),
  staff: ready('grantRole'),
  'purchase-reversal': ready('reversePurchase'),
  'cancel-rewards': ready('cancelRewards'),
  'account-recovery': ready('proposeAccountRecovery'),
  sessions: colleague('end-sessions', {}),
  status: colleague('status', { status: false }),
  'case-closing': async () => ({
    path: `${await openTestCase(instance, instance.third, reason)}/close`,
    body: { outcome: 'cleared', reason },
  }),
  suspension: ready('liftSuspension'),
  'separate-people': ready('confirmSeparatePeople'),
  'resume-platform': ready('resumePlatform'),
  'chain-answer': ready('answerChain'),
  reversal: ready('reverseTransfer'),
  'cold-move': ready('proposeColdMove'),
  'payment-return': ready('proposePaymentReturn'),
  proceeds: ready('proposeProceeds'),
  special: ready('setSpecialRcm'),
  rank: ready('setMemberRank'),
}

/** Makes a proposal through its subject's call, and returns its public id. */
export async function submit(subject: ProposalSubject, by: Person): Promise<string> {
  const { path, body } = await submitters[subject](by)
  const { body: answer } = await instance.post(path, by, body)
  const id: unknown = answer.data?.proposalId ?? answer.data?.id
  if (typeof id !== 'string') throw new Error(`${subject}: ${JSON.stringify(answer)}`)
  return id
}

/** Creates a linked account: an admin in the person's downline with the same IP address and device. */
export async function linkedAdmin(one: { id: bigint }): Promise<Person> {
  const twin = await instance.person({ sponsorId: one.id, role: 'ADMIN' })
  const now = instance.at.clock.now()
  const seen = { first_seen_at: now, last_seen_at: now, same_address: true, same_device: true, same_payout_address: false }
  await instance.at.db
    .insertInto('linked_account')
    .values({ member_id: twin.id, upline_id: one.id, level: 1, ...seen })
    .execute()
  return twin
}
