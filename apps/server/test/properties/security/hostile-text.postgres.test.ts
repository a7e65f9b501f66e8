import { allRoutes } from '@tizara/contract/all-routes'
import { toJsonSchema } from '@valibot/to-json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchSample } from '../../../../../test/search.ts'
import { testDatabase } from '../../database.ts'
import { DECEIVES, TEXTS } from '../../hostile-texts.ts'
import { TEST_PASSWORD } from '../../members.ts'
import { type MoneyInstance, moneyInstance, type Person } from '../../money-calls.ts'

const { db } = await testDatabase()
let instance: MoneyInstance
let who: Person
let maker: Person
let checker: Person
beforeAll(async () => {
  instance = await moneyInstance(db)
  who = await instance.person({ specialRcm: true })
  ;[maker, checker] = instance.staff as [Person, Person]
})

interface Call {
  path: string
  caller?: Person
  body: Record<string, unknown>
  method?: 'PATCH'
}
const asks = (path: string, body: Record<string, unknown> = {}) => ({ path, caller: maker, body: { reason: 'as it has to be', ...body } })
const ready = async (route: string) => {
  const { path, who: caller, body } = await instance.ready(route, who, instance.member)
  return { path, body, ...(caller === undefined ? {} : { caller }) }
}
const change = (subject: string, value: object): Call => asks('/staff/changes', { subject, value })
const proposalId = async (): Promise<string> =>
  (await instance.at.call('POST', '/staff/changes', { token: maker.token, body: change('limits', { openInvoices: 3 + (turn += 1) }).body }))
    .body.data?.id ?? 'none'
const replyId = async () =>
  (
    await instance.at.call('POST', '/staff/saved-replies', {
      token: maker.token,
      body: { name: `Hello ${(turn += 1)}`, text: 'x', tags: [] },
    })
  ).body.data?.id
let turn = 0
const plan = { planName: 'Autumn', duration: 30, minimum: 10, apy: 12, omega: false, status: 'ACTIVE' }
const nft = { name: 'Dome 1', title: 'A dome', walletName: 'dome', price: 50, duration: 12, dailyRoi: 20, status: 'ACTIVE' }
const someone = () => instance.person({ role: 'MEMBER' })
const own = async (path: string, body: Record<string, unknown> = {}) => asks(`/staff/members/${(await someone()).publicId}/${path}`, body)

/** Valid call for every stored or searched text. `field` names the text in the call. */
const CALLS: readonly (readonly [route: string, field: string, make: () => Promise<Call> | Call])[] = [
  [
    'register',
    'name',
    () => ({
      path: '/limit/auth/register',
      body: { name: 'Ada', email: `ada${(turn += 1)}@gmail.com`, phone: '+12025550143', password: 'violet-harbour-93' },
    }),
  ],
  [
    'register',
    'phone',
    () => ({
      path: '/limit/auth/register',
      body: { name: 'Ada', email: `ada${(turn += 1)}@gmail.com`, phone: '+12025550143', password: 'violet-harbour-93' },
    }),
  ],
  [
    'register',
    'email',
    () => ({ path: '/limit/auth/register', body: { name: 'Ada', email: 'x', phone: '+12025550143', password: 'violet-harbour-93' } }),
  ],
  [
    'register',
    'password',
    () => ({
      path: '/limit/auth/register',
      body: { name: 'Ada', email: `ada${(turn += 1)}@gmail.com`, phone: '+12025550143', password: '' },
    }),
  ],
  ['login', 'email', () => ({ path: '/auth/login', body: { email: 'x', password: TEST_PASSWORD } })],
  ['login', 'password', async () => ({ path: '/auth/login', body: { email: (await someone()).email, password: 'x' } })],
  ['login', 'otp', () => ({ path: '/auth/login', body: { email: who.email, password: TEST_PASSWORD, otp: 'x' } })],
  ['forgotPassword', 'email', () => ({ path: '/auth/forgot-password', body: { email: 'x' } })],
  [
    'changePassword',
    'newPassword',
    async () => ({ path: '/auth/change-password', caller: await someone(), body: { oldPassword: TEST_PASSWORD, newPassword: 'x' } }),
  ],
  ['userToUserDeposit', 'email', () => ready('userToUserDeposit')],
  ['findReceiver', 'email', async () => ({ ...(await ready('userToUserDeposit')), path: '/usd-transfer/receiver' })],
  ['namePayee', 'email', () => ({ path: '/usd-transfer/payees', caller: who, body: { email: 'x@gmail.com', name: 'x' } })],
  ['namePayee', 'name', () => ({ path: '/usd-transfer/payees', caller: who, body: { email: 'x@gmail.com', name: 'x' } })],
  ['withdrawDeposit', 'address', () => ready('withdrawDeposit')],
  ['withdrawDeposit', 'stepUp', () => ready('withdrawDeposit')],
  ['bridge', 'to', () => ready('bridge')],
  ['bridge', 'stepUp', () => ready('bridge')],
  ['requestReturn', 'address', () => ({ path: '/pay/deposits/x/returns', caller: who, body: { asset: 'usd', address: 'x' } })],
  ['addPayoutAddress', 'address', () => ({ path: '/withdrawals/addresses', caller: who, body: { address: 'x', password: TEST_PASSWORD } })],
  [
    'addPayoutAddress',
    'label',
    async () => ({
      path: '/withdrawals/addresses',
      caller: await someone(),
      body: { address: '0x52908400098527886E0F7030069857D2E4169EE7', label: 'x', password: TEST_PASSWORD },
    }),
  ],
  [
    'provePayout',
    'address',
    () => ({
      path: '/withdrawals/step-up',
      caller: who,
      body: { kind: 'withdrawal', amount: 10, address: 'x', password: TEST_PASSWORD },
    }),
  ],
  ['openStake', 'planName', () => ready('openStake')],
  ['openStake', 'planId', () => ready('openStake')],
  ['buyNft', 'nftId', () => ready('buyNft')],
  [
    'revokeApproval',
    'reason',
    async () => ({ ...(await ready('approveRequest')), path: '/staff/queues/withdrawals/none/revoke-approval', body: { reason: 'x' } }),
  ],
  ['approveRequest', 'reason', () => ready('approveRequest')],
  ['approveRequest', 'txHash', () => ready('approveRequest')],
  ['nameTransaction', 'txHash', async () => asks('/staff/queues/withdrawals/none/transaction', { txHash: 'x' })],
  ['stopSending', 'reason', () => ready('stopSending')],
  ['rejectRequest', 'reason', () => ready('rejectRequest')],
  ['setMemberStatus', 'reason', () => own('status', { status: false })],
  ['setSpecialRcm', 'reason', () => own('special-rcm', { isSpecialRcm: false })],
  ['setMemberRank', 'rank', () => own('rank', { rank: 'gold' })],
  ['setMemberRank', 'reason', () => own('rank', { rank: null })],
  ['creditRcm', 'reason', () => ready('creditRcm')],
  ['endMemberSessions', 'reason', () => own('end-sessions')],
  ['grantRole', 'name', () => asks('/staff/roles', { email: `new${(turn += 1)}@gmail.com`, name: 'Ada', phone: '', role: 'SUPPORT' })],
  ['grantRole', 'phone', () => asks('/staff/roles', { email: `new${(turn += 1)}@gmail.com`, name: 'Ada', phone: 'x', role: 'SUPPORT' })],
  ['grantRole', 'reason', () => asks('/staff/roles', { email: `new${(turn += 1)}@gmail.com`, name: 'Ada', phone: '', role: 'SUPPORT' })],
  ['noteOnMember', 'text', () => ({ path: `/staff/members/${who.publicId}/notes`, caller: maker, body: { text: 'x' } })],
  ['verifyMemberEmail', 'reason', () => own('verify')],
  ['proposeAccountRecovery', 'reason', () => own('recovery')],
  ['cancelAccountRecovery', 'reason', () => own('recovery/cancel')],
  ['viewAsMember', 'reason', () => own('view-as')],
  ['fundRewardPool', 'reason', () => ready('fundRewardPool')],
  ['payRewardDay', 'reason', () => asks('/staff/reward-runs/day', { day: '2026-03-01' })],
  ['cancelRewards', 'reason', () => own('cancel-rewards')],
  ['cancelRewards', 'from', () => own('cancel-rewards', { from: 'x' })],
  ['proposeChange', 'reason', () => change('popup', { title: `T${(turn += 1)}`, message: 'M', isActive: false })],
  ['proposeChange', 'value.title', () => change('popup', { title: 'T', message: 'M', isActive: false })],
  ['proposeChange', 'value.message', () => change('popup', { title: 'T', message: 'M', isActive: true })],
  ['proposeChange', 'value.name', () => change('brand', { name: 'B' })],
  ['proposeChange', 'value.senderName', () => change('brand', { name: 'B', senderName: 'x' })],
  ...(['accent', 'logo', 'logoDark', 'terms', 'privacy', 'imprint', 'support'] as const).map(
    (field): [string, string, () => ReturnType<typeof change>] => ['proposeChange', `value.${field}`, () => change('brand', { name: 'B' })],
  ),
  ['proposeChange', 'value.planName', () => change('plan', plan)],
  ['proposeChange', 'value.planId', () => change('plan', plan)],
  ['proposeChange', 'value.name', () => change('nft', nft)],
  ['proposeChange', 'value.title', () => change('nft', nft)],
  ['proposeChange', 'value.nftId', () => change('nft', nft)],
  [
    'proposeChange',
    'value.rules.0.name',
    () => change('payout-rules', { rules: [{ action: 'queue', name: 'x', kind: 'bridge', above: (turn += 1) }] }),
  ],
  ['proposeChange', 'value.title', () => change('message', { title: `T${(turn += 1)}`, text: 'M', segment: {} })],
  ['proposeChange', 'value.text', () => change('message', { title: `T${(turn += 1)}`, text: 'M', segment: {} })],
  ['proposeChange', 'value.text', () => change('terms-of-use', { text: 'x' })],
  ['proposeChange', 'value.link', () => change('terms-of-use', { text: 'x' })],
  ['proposeChange', 'value.name', () => change('api-key', { name: 'x', rights: ['staffBusiness'], days: 30 })],
  ['proposeChange', 'value.name', () => change('webhook', { name: 'x', url: `https://example.com/${(turn += 1)}` })],
  ['rotateWebhookSecret', 'reason', () => asks('/staff/webhooks/x/secret', {})],
  ['decideScreening', 'reason', () => asks('/staff/members/x/screening', { hits: ['x'], verdict: 'same' })],
  ['stopWebhook', 'reason', () => asks('/staff/webhooks/x/stop', { ends: true })],
  ['sendImportMails', 'reason', () => asks(`/staff/imports/${'c'.repeat(64)}/mails`, { perHour: 60 })],
  ['endStaffApiKey', 'reason', () => asks('/staff/api-keys/x/end', {})],
  ['stopPayoutRules', 'reason', () => ({ path: '/staff/payout-rules/stop', caller: maker, body: { reason: 'x' } })],
  [
    'previewChange',
    'value.title',
    () => ({
      path: '/staff/changes/preview',
      caller: maker,
      body: { subject: 'popup', value: { title: 'T', message: 'M', isActive: false } },
    }),
  ],
  ['approveChange', 'reason', async () => ({ path: `/staff/changes/${await proposalId()}/approve`, caller: checker, body: {} })],
  ['rejectChange', 'reason', async () => asks(`/staff/changes/${await proposalId()}/reject`)],
  ['cancelChange', 'reason', async () => asks(`/staff/changes/${await proposalId()}/cancel`)],
  ['answerChain', 'id', () => asks('/staff/chain/answer', { about: 'payout', id: 'x', answer: 'ARRIVED' })],
  ['answerChain', 'reason', () => asks('/staff/chain/answer', { about: 'payout', id: 'x', answer: 'ARRIVED' })],
  ['reverseTransfer', 'reason', () => asks('/staff/ledger/transfers/1/reverse')],
  ['reversePurchase', 'reason', () => ready('reversePurchase')],
  ['saveSegment', 'name', () => ({ path: '/staff/segments', caller: maker, body: { name: 'x', criteria: { usdFrom: '5' } } })],
  ['saveReply', 'name', () => ({ path: '/staff/saved-replies', caller: maker, body: { name: 'x', text: 'x', tags: [] } })],
  [
    'saveReply',
    'text',
    () => ({ path: '/staff/saved-replies', caller: maker, body: { name: `Hello ${(turn += 1)}`, text: 'x', tags: [] } }),
  ],
  [
    'changeReply',
    'name',
    async () => ({ path: `/staff/saved-replies/${await replyId()}`, caller: maker, body: { name: 'x' }, method: 'PATCH' }),
  ],
  [
    'changeReply',
    'text',
    async () => ({ path: `/staff/saved-replies/${await replyId()}`, caller: maker, body: { text: 'x' }, method: 'PATCH' }),
  ],
  ['startExport', 'filter.q', () => ({ path: '/staff/exports', caller: maker, body: { list: 'members' } })],
  ['startExport', 'filter.rank', () => ({ path: '/staff/exports', caller: maker, body: { list: 'members' } })],
  ['startExport', 'filter.member', () => ({ path: '/staff/exports', caller: maker, body: { list: 'timeline' } })],
  ['proposeColdMove', 'address', () => asks('/staff/hot-wallet/moves', { asset: 'usd', amount: 1, address: '0x' })],
  ['proposeColdMove', 'reason', () => asks('/staff/hot-wallet/moves', { asset: 'usd', amount: 1, address: '0x' })],
  ['proposePaymentReturn', 'address', () => asks('/staff/deposits/x/returns', { asset: 'usd', amount: 1, address: '0x' })],
  ['proposePaymentReturn', 'reason', () => asks('/staff/deposits/x/returns', { asset: 'usd', amount: 1, address: '0x' })],
  ['cancelPaymentReturn', 'reason', () => asks('/staff/payment-returns/x/cancel', {})],
  ['proposeProceeds', 'address', () => asks('/staff/reward-pool/proceeds', { amount: 1, address: '0x' })],
  ['proposeProceeds', 'reason', () => asks('/staff/reward-pool/proceeds', { amount: 1, address: '0x' })],
  ['cancelHotWalletPayout', 'reason', () => asks('/staff/hot-wallet/moves/x/cancel', {})],
  ['openCase', 'title', () => asks(`/staff/members/${who.publicId}/case`, { title: 'x', dueDays: 7 })],
  ['openCase', 'reason', () => asks(`/staff/members/${who.publicId}/case`, { title: 'x', dueDays: 7 })],
  ['takeCase', 'reason', () => asks('/staff/cases/x/take', { dueDays: 7 })],
  ['closeCase', 'reason', () => asks('/staff/cases/x/close', { outcome: 'cleared' })],
  ['reviewLinkedAccount', 'reason', () => asks('/staff/linked-accounts/1/review', { verdict: 'watch' })],
]
/** Calls without a case: texts compared as secrets, uploaded, or used to pause the platform. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  userLogin: 'as login',
  resetPassword: 'as changePassword',
  beginTotp: 'as login',
  confirmTotp: 'as login',
  disableTotp: 'as login',
  renewRecoveryCodes: 'as login',
  startOwnData: 'as login',
  closeAccount: 'as login',
  changeName: 'as register: the same field',
  changePhone: 'as register: the same field',
  changeEmail: 'as register: the same field',
  beginPasskey: 'as login',
  createApiKey: 'api-keys.test.ts',
  acceptTerms: 'the hash in force only: terms-of-use.test.ts',
  acceptTermsByLink: 'as acceptTerms',
  addPasskey: 'passkeys.test.ts',
  renamePasskey: 'passkeys.test.ts',
  removePasskey: 'as login',
  beginPasskeySignIn: 'as login',
  passkeyLogin: 'as login',
  confirmPayoutAddress: 'as login',
  confirmPayout: 'as login',
  createTicket: 'support.test.ts',
  replyToTicket: 'support.test.ts',
  answerTicket: 'ticket-desk.test.ts',
  closeTicketAsStaff: 'as the other reasons',
  assignTicket: 'ids only',
  withdrawSellRequest: 'ids only',
  noteOnTicket: 'as noteOnMember',
  pausePlatform: 'as the other reasons',
  resumePlatform: 'as the other reasons',
  suspendColleague: 'as the other reasons',
  liftSuspension: 'as the other reasons',
  confirmSeparatePeople: 'as the other reasons',
  allowViews: 'as the other reasons',
}

const texts = (schema: ReturnType<typeof toJsonSchema> | boolean): boolean =>
  typeof schema === 'object' &&
  schema.type === 'string' &&
  schema.pattern === undefined &&
  schema.enum === undefined &&
  schema.format === undefined
it('covers every free text field of the contract', () => {
  const taking = allRoutes.filter(
    ({ body }) =>
      body !== undefined &&
      Object.values(toJsonSchema(body, { typeMode: 'input', errorMode: 'ignore' }).properties ?? {}).some((one) => texts(one)),
  )
  const known = [...CALLS.map(([route]) => route), ...Object.keys(ELSEWHERE)]
  expect(taking.map((route) => route.name).filter((name) => !known.includes(name))).toEqual([])
})

const withText = (body: Record<string, unknown>, field: string, text: string): string => {
  const [name = '', ...below] = field.split('.')
  const inner = below.length === 0 ? undefined : below.join('.')
  const rest = Object.entries(body).filter(([key]) => key !== name)
  const held = body[name]
  const into = (one: unknown, at: string) => withText(typeof one === 'object' && one !== null ? { ...one } : {}, at, text)
  // The field of a list's row is in its first row: `rules.0.name`.
  const value = inner === undefined ? text : Array.isArray(held) ? `[${into(held[0], inner.replace('0.', ''))}]` : into(held, inner)
  return `{${[...rest.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`), `${JSON.stringify(name)}:${value}`].join(',')}}`
}

const CASES = CALLS.map(([route, field, make], index) => [route, field, make, index] as const)

it.each(CASES)('[I20] %s accepts or rejects hostile text in %s without a server error', async (route, field, make, index) => {
  for (const [what, text] of searchSample(Object.entries(TEXTS), index, 8)) {
    const { path, caller, body, method } = await make()
    const reply = await instance.at.app.inject({
      method: method ?? 'POST',
      url: `/api/v1${path}`,
      headers: { 'content-type': 'application/json', ...(caller === undefined ? {} : { authorization: caller.token }) },
      payload: withText(body, field, text),
    })
    const about = `${route}.${field}, ${what}: ${reply.statusCode} ${reply.body.slice(0, 200)}`
    expect(reply.statusCode, about).toBeLessThan(500)
    expect(DECEIVES.test(reply.body), about).toBe(false)
  }
})

describe('stored hostile text', () => {
  it('is read by its member and by staff without errors, and changes no direction, layout or terminal', async () => {
    for (const route of allRoutes.filter((one) => one.method === 'GET' && !one.path.includes(':') && one.base !== 'invoice')) {
      const caller = route.access === 'staff' ? maker : who
      const reply = await instance.at.app.inject({
        method: 'GET',
        url: `/api/v1${route.path}`,
        headers: { authorization: caller.token },
        ...(route.name.startsWith('live') || /live/i.test(route.path) ? { payloadAsStream: true } : {}),
      })
      expect([route.name, reply.statusCode < 500]).toEqual([route.name, true])
      if (!/live/i.test(route.path)) expect([route.name, DECEIVES.exec(reply.body)?.[0]]).toEqual([route.name, undefined])
    }
  })
})
