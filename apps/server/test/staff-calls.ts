import { ONE } from '@tizara/money'
import type { StaffRole } from '@tizara/contract/staff'
import { sql } from 'kysely'
import { caseCalls } from './case-calls.ts'
import { paymentReturnCalls } from './held-payment.ts'
import { hotWalletCalls, withoutHotWallet } from './hot-wallet.ts'
import { operatorKeyCalls } from './operator-key-calls.ts'
import { operatorCalls } from './operator-calls.ts'
import { importCalls } from './import-calls.ts'
import { screeningCalls } from './screening-calls.ts'
import { linkedAccount, linkedPair, readerAtLimit } from './staff-people.ts'
import { addPendingRecovery, addSecondFactor, fund } from './members.ts'
import { type Person, type StaffInstance, staffInstance } from './staff-instance.ts'
import { startJob } from '../src/jobs/start-job.ts'
import { liftLedgerStop, stopLedger } from '../src/ledger/index.ts'
import { buyToken } from '../src/modules/coin/index.ts'
import { simulateDay } from '../src/modules/rewards/index.ts'
import { currentSettings } from '../src/modules/settings/index.ts'
import { openTicket } from '../src/modules/support/index.ts'
import { moveBetweenWallets } from '../src/modules/transfers/index.ts'
import { movingClock, utcDay } from '../src/platform/runtime/clock.ts'
import { inTransaction } from '../src/platform/db/database.ts'

/** Test file's app, and a person per staff role, both set by {@link openStaffApp}. */
export let instance: StaffInstance
export let staff: Record<StaffRole, Person>

/** Opens an app with a person per staff role for this test file. Files in one process do not share it. */
export async function openStaffApp(): Promise<void> {
  instance = await staffInstance(movingClock('2026-03-02T09:00:00Z'))
  staff = {
    ADMIN: instance.maker,
    SUPPORT: instance.support,
    FINANCE: await instance.person({ role: 'FINANCE' }),
    AUDITOR: await instance.person({ role: 'AUDITOR' }),
  }
}

/** Permitted roles from the console's specification, independent from the product's table. */
export const WHO = {
  all: ['SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR'],
  desk: ['SUPPORT', 'FINANCE', 'ADMIN'],
  money: ['FINANCE', 'ADMIN'],
  record: ['FINANCE', 'ADMIN', 'AUDITOR'],
  platform: ['ADMIN'],
} as const

export interface Call {
  /** Roles that may make the call. */
  right: keyof typeof WHO
  /** Prepares a subject, and returns path and body for an otherwise valid call. */
  prepare(token: string | undefined): Promise<{ path: string; body?: unknown; before?: string }>
}

export const reason = 'checked'
const at = (path: string, body?: unknown) => async () => ({ path, body })
const aboutMember =
  (what: string, body: object, options = {}) =>
  async () => ({ path: `/staff/members/${(await instance.person(options)).publicId}${what}`, body: { ...body, reason } })
/** Creates a withdrawal that staff pay by hand, as without a hot wallet. */
const withdrawal = async (usd: bigint) => instance.withdrawal(await withoutHotWallet(instance).person(), usd)
const aboutRequest = (what: string) => async () => at(`/staff/queues/withdrawals/${await withdrawal(20n)}/${what}`, { reason })()
/** Creates a request approved by every permitted role, so that each can revoke an approval. */
const aboutOwnApproval = async () => {
  const id = await withdrawal(2000n)
  return { path: `/staff/queues/withdrawals/${id}/revoke-approval`, body: {}, before: `/staff/queues/withdrawals/${id}/approve` }
}
/** Creates an approved payout in the sending queue. */
const aboutSending = async () => {
  const id = await withdrawal(20n)
  await instance.post(`/staff/queues/withdrawals/${id}/approve`, instance.checker, { reason })
  await sql`
    insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at)
    select id, 31337, lower(address), lower(address), received * 10000000000::numeric, '', decided_at
    from payout_request where public_id = ${id}`.execute(instance.at.db)
  return at(`/staff/queues/withdrawals/${id}/stop-sending`, { reason })()
}
const aboutTicket = (what: string, body?: object) => async () => {
  const id = await inTransaction(instance.at.db, (tx) =>
    openTicket(tx, instance.at.deps, {
      memberId: instance.member.id,
      title: 'T',
      description: 'D',
      image: { contentType: 'image/webp', bytes: Buffer.from('x') },
    }),
  )
  return { path: `/staff/tickets/${id}${what}`, body }
}
const aboutChange = (what: string) => async () => {
  const body = { subject: 'popup', value: { title: 'T', message: String(Math.random()), isActive: true }, reason }
  const { body: made } = await instance.post('/staff/changes', instance.checker, body)
  return { path: `/staff/changes/${made.data.id}/${what}`, body: { reason } }
}

const aboutIncident = async () => {
  const id = instance.at.deps.ids.publicId()
  const incident = { public_id: id, name: id, level: 'amber', text: 'x', since: instance.at.clock.now() }
  await instance.at.db.insertInto('staff_incident').values(incident).execute()
  return { path: `/staff/incidents/${id}/take`, body: {} }
}
/** Lifts a pause set by a call. */
export const lift = () => inTransaction(instance.at.db, (tx) => liftLedgerStop(tx, instance.at.clock.now()))
const aboutStop = (stopped: boolean, path: string) => async () => {
  await lift()
  if (stopped) await inTransaction(instance.at.db, (tx) => stopLedger(tx, instance.at.clock.now(), 'x'))
  return { path, body: { reason } }
}
const aboutChainIncident = async () => {
  const { rows } = await sql<{ id: string }>`insert into chain_incident (kind, noted_at, from_block, transfers)
    values ('WALLET_SPENT', now(), 0, '[]') returning id::text`.execute(instance.at.db)
  return { path: '/staff/chain/answer', body: { about: 'incident', id: rows[0]?.id, answer: 'SEEN', reason } }
}
const aboutPlanned = async () => {
  const startsAt = new Date(instance.at.clock.now().getTime() + 3_600_000).toISOString()
  const body = { subject: 'popup', value: { title: 'Planned', message: String(Math.random()), isActive: true }, startsAt, reason }
  const { body: made } = await instance.post('/staff/changes', instance.checker, body)
  await instance.post(`/staff/changes/${made.data.id}/approve`, instance.third, { reason })
  return { path: `/staff/changes/${made.data.id}/cancel`, body: { reason } }
}

const bought = async (options: { sponsorId?: bigint } = {}) => {
  const who = await instance.person(options)
  await fund(instance.at.db, who.id, 'depositWallet', 100n * ONE)
  const { coinPrice } = await currentSettings(instance.at.db, instance.at.clock.now())
  const purchase = { memberId: who.id, coinAmount: 1000n * ONE, coinPrice, totalPrice: 1000n * coinPrice }
  return inTransaction(instance.at.db, (tx) => buyToken(tx, instance.at.deps, purchase))
}
const aboutPurchase = async () => ({ path: `/staff/purchases/coin/${await bought()}/reverse`, body: { reason } })
const aboutHeldRewards = async () => {
  const sponsor = await instance.person()
  await bought({ sponsorId: sponsor.id })
  return { path: `/staff/members/${sponsor.publicId}/cancel-rewards`, body: { reason } }
}

/** Creates an admin whose rights were suspended, up to a moment in ms from now. */
const aboutSuspended = (what: string, ms: number) => async () => {
  const who = await instance.person({ role: 'ADMIN' })
  const until = new Date(instance.at.clock.now().getTime() + ms)
  await instance.at.db.updateTable('member').set({ suspended_until: until }).where('id', '=', who.id).execute()
  return { path: `/staff/members/${who.publicId}/${what}`, body: { reason } }
}

const ownerOf = (token: string | undefined) => Object.values(staff).find((one) => one.token === token) ?? instance.member

/** Creates a finished job with its file, owned by the caller. */
const aboutOwnJob = (what: string) => async (token: string | undefined) => {
  const kind = { name: 'staff-test', file: () => ({ name: 'a.csv', type: 'text/csv' }) }
  const id = await inTransaction(instance.at.db, (tx) => startJob(tx, instance.at.deps, kind, { ownerId: ownerOf(token).id, input: {} }))
  const ended = { state: 'DONE', finished_at: instance.at.clock.now() }
  await instance.at.db.updateTable('background_job').set(ended).where('public_id', '=', id).execute()
  return { path: `/staff/jobs/${id}${what}` }
}

export const calls: Readonly<Record<string, Call>> = {
  staffMe: { right: 'all', prepare: at('/staff/me') },
  staffJob: { right: 'all', prepare: aboutOwnJob('') },
  cancelStaffJob: {
    right: 'all',
    prepare: async (token) => {
      // Ends earlier jobs, because a person may run only a few and this table starts many.
      const over = { state: 'DONE', finished_at: instance.at.clock.now() }
      const jobs = instance.at.db.updateTable('background_job').where('owner_id', '=', ownerOf(token).id)
      await jobs.set(over).where('finished_at', 'is', null).execute()
      const id = await inTransaction(instance.at.db, (tx) =>
        startJob(tx, instance.at.deps, { name: 'staff-test' }, { ownerId: ownerOf(token).id, input: {} }),
      )
      return { path: `/staff/jobs/${id}/cancel`, body: {} }
    },
  },
  staffJobFile: { right: 'all', prepare: aboutOwnJob('/file') },
  staffLedgerAccounts: { right: 'all', prepare: at('/staff/ledger/accounts') },
  staffLedgerAccount: { right: 'all', prepare: at('/staff/ledger/accounts/-9200') },
  staffLedgerEntries: { right: 'all', prepare: at('/staff/ledger/accounts/-9200/entries') },
  staffLedgerTransfer: { right: 'all', prepare: at('/staff/ledger/transfers/1') },
  staffTransferReceipts: { right: 'all', prepare: at('/staff/ledger/transfers/1/receipts') },
  staffHealth: { right: 'record', prepare: at('/staff/health') },
  staffBusiness: { right: 'record', prepare: at('/staff/business?period=month') },
  staffBusinessTeams: { right: 'record', prepare: at('/staff/business/teams?level=1') },
  staffOverview: { right: 'all', prepare: at('/staff/overview') },
  staffQueue: { right: 'all', prepare: at('/staff/queues/bridges') },
  staffQueueItem: { right: 'all', prepare: async () => at(`/staff/queues/withdrawals/${await withdrawal(20n)}`)() },
  revealRequestAddress: { right: 'all', prepare: async () => ({ path: (await aboutRequest('reveal')()).path, body: {} }) },
  revokeApproval: { right: 'money', prepare: aboutOwnApproval },
  approveRequest: { right: 'money', prepare: aboutRequest('approve') },
  rejectRequest: { right: 'money', prepare: aboutRequest('reject') },
  nameTransaction: {
    right: 'money',
    prepare: async () => {
      const id = await withdrawal(20n)
      await instance.post(`/staff/queues/withdrawals/${id}/approve`, instance.checker, { reason })
      return at(`/staff/queues/withdrawals/${id}/transaction`, { txHash: '0xabc' })()
    },
  },
  stopSending: { right: 'money', prepare: aboutSending },
  staffMembers: { right: 'all', prepare: at('/staff/members') },
  staffMemberDetail: { right: 'all', prepare: aboutMember('', {}) },
  setMemberStatus: { right: 'platform', prepare: aboutMember('/status', { status: false }) },
  // A repeated suspension becomes a proposal, so that the caller may make further calls.
  suspendColleague: { right: 'platform', prepare: aboutSuspended('suspend', -1) },
  confirmSeparatePeople: { right: 'platform', prepare: () => linkedPair(instance, reason) },
  liftSuspension: { right: 'platform', prepare: aboutSuspended('lift-suspension', 3_600_000) },
  setSpecialRcm: { right: 'platform', prepare: aboutMember('/special-rcm', { isSpecialRcm: true }) },
  setMemberRank: { right: 'platform', prepare: aboutMember('/rank', { rank: 'Ambassador' }) },
  creditRcm: { right: 'money', prepare: aboutMember('/credit-rcm', { amount: 1 }, { specialRcm: true }) },
  staffPurchases: { right: 'all', prepare: aboutMember('/purchases', {}) },
  reversePurchase: { right: 'money', prepare: aboutPurchase },
  endMemberSessions: { right: 'desk', prepare: aboutMember('/end-sessions', {}) },
  staffTickets: { right: 'all', prepare: at('/staff/tickets') },
  staffTicketDetail: { right: 'all', prepare: aboutTicket('') },
  answerTicket: { right: 'desk', prepare: aboutTicket('/reply', { message: 'Hello' }) },
  closeTicketAsStaff: { right: 'desk', prepare: aboutTicket('/close', {}) },
  fundRewardPool: { right: 'money', prepare: at('/staff/reward-pool/fund', { asset: 'coin', amount: 1, reason }) },
  staffHeldRewards: { right: 'all', prepare: aboutMember('/held-rewards', {}) },
  cancelRewards: { right: 'money', prepare: aboutHeldRewards },
  reverseTransfer: {
    right: 'money',
    prepare: async () => {
      const who = await instance.person()
      await fund(instance.at.db, who.id, 'nativeWallet', ONE)
      const moved = await inTransaction(instance.at.db, (tx) =>
        moveBetweenWallets(tx, instance.at.deps, { move: 'swapNative', memberId: who.id, amount: ONE }),
      )
      return at(`/staff/ledger/transfers/${moved}/reverse`, { reason })()
    },
  },
  staffRewardPool: { right: 'all', prepare: at('/staff/reward-pool') },
  ...hotWalletCalls(() => instance.at, reason),
  ...paymentReturnCalls(() => instance.at, reason),
  grantRole: {
    right: 'platform',
    prepare: async () => at('/staff/roles', { email: (await instance.person()).email, role: 'SUPPORT', reason })(),
  },
  proposeAccountRecovery: {
    right: 'platform',
    prepare: async () => {
      const { id, publicId } = await instance.person()
      await addSecondFactor(instance.at.db, id)
      return at(`/staff/members/${publicId}/recovery`, { secondFactor: true, reason })()
    },
  },
  cancelAccountRecovery: {
    right: 'desk',
    prepare: async () => {
      const { id, publicId } = await instance.person()
      await addPendingRecovery(instance.at.db, id, instance.at.clock.now())
      return at(`/staff/members/${publicId}/recovery/cancel`, { reason })()
    },
  },
  staffTimeline: { right: 'all', prepare: aboutMember('/timeline', {}) },
  staffMemberLedger: { right: 'all', prepare: aboutMember('/ledger', {}) },
  staffMemberSessions: { right: 'all', prepare: aboutMember('/sessions', {}) },
  staffMemberTeam: { right: 'all', prepare: aboutMember('/team', {}) },
  staffMemberTickets: { right: 'all', prepare: aboutMember('/tickets', {}) },
  staffMemberNotes: { right: 'all', prepare: aboutMember('/notes', {}) },
  noteOnMember: {
    right: 'desk',
    prepare: async () => at(`/staff/members/${(await instance.person()).publicId}/notes`, { text: 'Called back' })(),
  },
  revealMember: {
    right: 'all',
    prepare: async () => at(`/staff/members/${(await instance.person()).publicId}/reveal`, { field: 'phone' })(),
  },
  verifyMemberEmail: { right: 'platform', prepare: aboutMember('/verify', {}, { verified: false }) },
  viewAsMember: { right: 'desk', prepare: aboutMember('/view-as', {}) },
  assignTicket: { right: 'desk', prepare: async () => aboutTicket('/assign', { to: instance.support.publicId })() },
  tagTicket: { right: 'desk', prepare: aboutTicket('/tags', { tags: ['Deposit'] }) },
  noteOnTicket: { right: 'desk', prepare: aboutTicket('/notes', { text: 'Look at the refund' }) },
  openTicketImage: {
    right: 'all',
    prepare: async () => {
      const { path } = await aboutTicket('')()
      const row = await instance.at.db.selectFrom('ticket').select('image_id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
      return { path: `${path}/images`, body: { image: row.image_id } }
    },
  },
  staffSegments: { right: 'all', prepare: at('/staff/segments') },
  saveSegment: { right: 'desk', prepare: at('/staff/segments', { name: 'Large', criteria: { usdFrom: '500' } }) },
  deleteSegment: {
    right: 'desk',
    prepare: async () => {
      const { body } = await instance.post('/staff/segments', instance.checker, { name: 'Small', criteria: { usdBelow: '5' } })
      return { path: `/staff/segments/${body.data.id}/delete`, body: {} }
    },
  },
  savedReplies: { right: 'all', prepare: at('/staff/saved-replies') },
  saveReply: { right: 'desk', prepare: at('/staff/saved-replies', { name: 'Hello', text: 'Hello {firstName}' }) },
  changeReply: {
    right: 'desk',
    prepare: async () => {
      const { body } = await instance.post('/staff/saved-replies', instance.checker, { name: 'Hello', text: 'Hello' })
      return { path: `/staff/saved-replies/${body.data.id}`, body: { name: 'Greeting' } }
    },
  },
  reviewLinkedAccount: { right: 'desk', prepare: () => linkedAccount(instance, reason) },
  staffRewardRuns: { right: 'all', prepare: at('/staff/reward-runs') },
  startRewardRun: { right: 'money', prepare: at('/staff/reward-runs', {}) },
  previewRewardDay: { right: 'money', prepare: async () => at('/staff/reward-runs/dry', { day: utcDay(instance.at.clock.now()) })() },
  payRewardDay: {
    right: 'money',
    prepare: async () => {
      const day = utcDay(instance.at.clock.now())
      const { hash } = await simulateDay(instance.at.db, instance.at.deps, day)
      return at('/staff/reward-runs/day', { day, hash, reason })()
    },
  },
  staffLinkedAccounts: { right: 'all', prepare: at('/staff/linked-accounts') },
  staffAudit: { right: 'record', prepare: at('/staff/audit') },
  staffAuditChain: { right: 'record', prepare: at('/staff/audit/chain') },
  checkAuditChain: { right: 'record', prepare: at('/staff/audit/check', {}) },
  startExport: { right: 'record', prepare: at('/staff/exports', { list: 'members' }) },
  staffCatalogue: { right: 'all', prepare: at('/staff/catalogue') },
  priceHistory: { right: 'all', prepare: at('/staff/price-history?days=30') },
  staffMails: { right: 'all', prepare: at('/staff/mails') },
  previewMail: { right: 'all', prepare: at('/staff/mails/payout-paid/preview', {}) },
  staffTicketFigures: { right: 'all', prepare: at('/staff/ticket-figures') },
  staffChanges: { right: 'all', prepare: at('/staff/changes') },
  staffChange: { right: 'all', prepare: async () => ({ path: (await aboutChange('')()).path.slice(0, -1) }) },
  simulateProgramme: { right: 'money', prepare: at('/staff/programme/simulate', { rules: { referralPercent: 4 } }) },
  previewChange: { right: 'money', prepare: at('/staff/changes/preview', { subject: 'price', value: { coinPrice: 0.0078 } }) },
  proposeChange: { right: 'money', prepare: at('/staff/changes', { subject: 'price', value: { coinPrice: 0.0078 }, reason }) },
  announcePresence: { right: 'all', prepare: at('/staff/presence', { location: 'payouts/p1', activity: 'viewing' }) },
  staffIncidents: { right: 'all', prepare: at('/staff/incidents') },
  takeIncident: { right: 'desk', prepare: aboutIncident },
  pausePlatform: { right: 'money', prepare: aboutStop(false, '/staff/pause') },
  resumePlatform: { right: 'platform', prepare: aboutStop(true, '/staff/resume') },
  answerChain: { right: 'platform', prepare: aboutChainIncident },
  allowViews: { right: 'platform', prepare: () => readerAtLimit(instance, reason) },
  staffPeople: { right: 'all', prepare: at('/staff/people') },
  staffSearch: { right: 'all', prepare: at('/staff/search?q=nobody') },
  ...operatorCalls(() => instance.at, reason),
  ...caseCalls(() => instance, reason),
  ...screeningCalls(() => instance, reason),
  ...importCalls(() => instance.at, reason),
  ...operatorKeyCalls(() => ({ at: instance.at, ownerId: staff.ADMIN.id }), reason),
  approveChange: { right: 'money', prepare: aboutChange('approve') },
  rejectChange: { right: 'money', prepare: aboutChange('reject') },
  cancelChange: { right: 'money', prepare: aboutPlanned },
}
