import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'
import { changedColumns, columnMarks } from '../../../../test/changed-columns.ts'
import { sendCall } from '../../../../test/send-staff-call.ts'
import { type Call, calls, instance, lift, openStaffApp, staff } from '../../../../test/staff-calls.ts'

await openStaffApp()

/** Record tables. A write there benefits no one. */
const RECORDS =
  /^(audit_event|event_outbox|background_job(_part)?|brand_logo|idempotency|job_lease|mail_link|mail_outbox|member_view|notification_event|payout_notification|programme_simulation|rate_limit|refresh_token|saved_(reply|segment)|session|staff_(proposal|incident|note|presence|view)|ticket(_image|_message)?)(\.|$)/

const POSTED = ['ledger_account.balance', 'ledger_account.version', 'ledger_transfer']
const DECIDED = ['member_list_counter', ...['decided_at', 'decided_by', 'reason', 'status'].map((column) => `payout_request.${column}`)]
const FIRST = ['first_approved_at', 'first_approved_by', 'first_mac'].map((column) => `payout_request.${column}`)
const BLOCKED = ['access_journal', 'member.is_active', 'member.updated_at']

/**
 * Changes by one person alone in each call, except records, and why they give no advantage. A call without an entry changes
 * nothing else: its effect waits for a second person.
 */
const ALONE: Readonly<Record<string, { changes: readonly string[]; because: string }>> = {
  approveRequest: {
    changes: [...POSTED, ...DECIDED],
    because: 'it pays the member’s own money; limited per 24 hours (approval-limits.ts)',
  },
  fundRewardPool: { changes: POSTED, because: 'the money stays with the operator; limited per 24 hours (approval-limits.ts)' },
  rejectRequest: {
    changes: ['ledger_account.new_money', 'ledger_account.version', 'ledger_transfer', ...DECIDED],
    because: 'the hold returns to its owner',
  },
  stopSending: {
    changes: [
      ...POSTED,
      'ledger_account.new_money',
      'member_list_counter',
      ...['reason', 'returned_at', 'status'].map((column) => `payout_request.${column}`),
      ...['cancel_asked_at', 'ended_at', 'state'].map((column) => `payout_sending.${column}`),
    ],
    because: 'unsent money returns to its owner',
  },
  cancelHotWalletPayout: {
    changes: ['cancel_asked_at', 'ended_at', 'state'].map((column) => `payout_sending.${column}`),
    because: 'the money stays in the hot wallet',
  },
  cancelAccountRecovery: { changes: ['account_recovery'], because: 'the second factor and the address stay' },
  cancelPaymentReturn: {
    changes: [...POSTED, ...['cancel_asked_at', 'ended_at', 'state'].map((column) => `payout_sending.${column}`)],
    because: 'the money stays in the hot wallet',
  },
  allowViews: {
    changes: ['allowed_at', 'allowed_by'].map((column) => `staff_view_limit.${column}`),
    because: 'it is for another person, whose further views are recorded too',
  },
  revokeApproval: { changes: FIRST, because: 'it removes an approval' },
  fetchApiKey: { changes: ['api_key.token_digest'], because: 'another person approved the key' },
  endStaffApiKey: { changes: ['end_reason', 'ended_at'].map((column) => `api_key.${column}`), because: 'it only ends a key' },
  rotateWebhookSecret: {
    changes: ['webhook_endpoint.secret'],
    because: 'address and events stay as two people approved them, and all admins get a mail',
  },
  stopWebhook: {
    changes: ['changed_at', 'off_reason', 'state'].map((column) => `webhook_endpoint.${column}`),
    because: 'it only stops webhooks',
  },
  sendWebhookAgain: {
    changes: ['next_attempt_at', 'state'].map((column) => `webhook_delivery.${column}`),
    because: 'it sends the same event to the same approved address',
  },
  stopPayoutRules: { changes: ['payout_rules'], because: 'people decide all further payouts' },
  nameTransaction: { changes: ['payout_request.tx_hash'], because: 'the payout was approved before' },
  verifyMemberEmail: {
    changes: ['is_verified', 'updated_at', 'verified_at'].map((column) => `member.${column}`),
    because: 'the member still has to prove the address by mail',
  },
  setMemberStatus: { changes: BLOCKED, because: 'it only blocks' },
  pausePlatform: { changes: ['ledger_stop'], because: 'it only pauses' },
  startRewardRun: { changes: ['reward_day', 'reward_watermark.written_through'], because: 'the worker pays the same an hour later' },
  payRewardDay: { changes: ['reward_run', 'reward_watermark.written_through'], because: 'the worker pays the same an hour later' },
  approveChange: { changes: ['announcement'], because: 'another person proposed it' },
  cancelChange: { changes: ['announcement'], because: 'the current state stays' },
  openCase: { changes: ['staff_case'], because: 'a case only has a text' },
  takeCase: { changes: ['due_at', 'owner_id'].map((column) => `staff_case.${column}`), because: 'a case only has a text' },
  closeCase: {
    changes: ['closed_at', 'closed_by', 'outcome', 'outcome_reason'].map((column) => `staff_case.${column}`),
    because: 'it is the person’s own case that holds neither money nor an erasure; others take two people',
  },
  uploadScreeningList: { changes: ['screening_entry', 'screening_key', 'screening_list'], because: 'nobody is compared with it yet' },
  sendImportMails: { changes: ['import_batch.mails_per_hour'], because: 'the members have moved already, and the mail has no figures' },
  reviewLinkedAccount: {
    changes: ['review_reason', 'reviewed_at', 'reviewed_by', 'verdict'].map((column) => `linked_account.${column}`),
    because: 'the two still cannot decide about each other, and the request names the reviewer',
  },
}

const aboutMember = (what: string, input: object, person: object) => async () => ({
  path: `/staff/members/${(await instance.person(person)).publicId}${what}`,
  body: { ...input, reason: 'x' },
})
const blocked = async () => {
  const who = await instance.person()
  await instance.post(`/staff/members/${who.publicId}/status`, instance.checker, { status: false, reason: 'x' })
  return { path: `/staff/members/${who.publicId}/status`, body: { status: true, reason: 'x' } }
}
/** Changes by the same calls with other input. */
const MORE: Readonly<Record<string, { call: string; prepare: Call['prepare']; changes: readonly string[] }>> = {
  'unblocking a member': { call: 'setMemberStatus', prepare: blocked, changes: [] },
  'removing special RCM': {
    call: 'setSpecialRcm',
    prepare: aboutMember('/special-rcm', { isSpecialRcm: false }, { specialRcm: true }),
    changes: ['member.is_special_rcm', 'member.updated_at'],
  },
  'clearing a rank': { call: 'setMemberRank', prepare: aboutMember('/rank', { rank: null }, {}), changes: ['member.updated_at'] },
  'approving an unpaid deposit': {
    call: 'approveRequest',
    prepare: async () => ({
      path: `/staff/queues/deposits/${await instance.deposit(await instance.person(), 1n)}/approve`,
      body: { amount: 1, reason: 'x' },
    }),
    changes: ['first_approved_at', 'first_approved_by', 'first_mac'].map((column) => `deposit.${column}`),
  },
  'approving a payout above the limit': {
    call: 'approveRequest',
    prepare: async () => ({
      path: `/staff/queues/withdrawals/${await instance.withdrawal(await instance.person(), 2000n)}/approve`,
      body: { reason: 'x' },
    }),
    changes: FIRST,
  },
  'funding the pool with operator money': {
    call: 'fundRewardPool',
    prepare: () =>
      Promise.resolve({ path: '/staff/reward-pool/fund', body: { asset: 'coin', amount: 1, source: 'operator', reason: 'x' } }),
    changes: [],
  },
  'suspending a colleague, which gives the caller an hour without decisions': {
    call: 'suspendColleague',
    prepare: async () => {
      const { publicId } = await instance.person({ role: 'FINANCE' })
      return { path: `/staff/members/${publicId}/suspend`, body: { reason: 'x' } }
    },
    changes: ['access_journal', ...['suspended_colleague_at', 'suspended_until', 'updated_at'].map((column) => `member.${column}`)],
  },
}

const actions = allRoutes.filter((route) => route.access === 'staff' && route.method !== 'GET')

/** Returns a call's changes, except records. */
async function changedBy(name: string, prepare: Call['prepare']): Promise<string[]> {
  const route = actions.find((one) => one.name === name)
  if (route === undefined) throw new Error(`no call ${name}`)
  const call = await prepare(staff.ADMIN.token)
  if (call.before !== undefined) await instance.post(call.before, staff.ADMIN, { reason: 'first' })
  const before = await columnMarks(instance.at.db)
  const status = await sendCall(route, call, staff.ADMIN.token)
  const changed = changedColumns(before, await columnMarks(instance.at.db))
  await lift()
  expect(status).toBe(200)
  return changed.filter((column) => !RECORDS.test(column))
}

it.each(actions.map((route) => route.name))('[I7] one staff member alone benefits no account with %s', async (name) => {
  const call = calls[name]
  if (call === undefined) throw new Error(`no call for ${name}`)
  expect(await changedBy(name, call.prepare)).toEqual((ALONE[name]?.changes ?? []).toSorted())
})

it.each(Object.entries(MORE))('[I7] a staff member alone gains nothing by %s', async (_, { call, prepare, changes }) => {
  expect(await changedBy(call, prepare)).toEqual(changes.toSorted())
})

it('[I7] has no row for a missing call', () => {
  expect(Object.keys(ALONE).filter((name) => !actions.some((route) => route.name === name))).toEqual([])
})
