import { toJsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import { allRoutes } from './all-routes.ts'
import { errorCatalogue, errorMessage } from './errors.ts'
import { historyKinds } from './history-kinds.ts'
import type { Route } from './route.ts'

const at = (method: Route['method'], path: string): Route | undefined =>
  allRoutes.find((route) => route.method === method && route.path === path)

/** Specified calls with their requirements. */
const specified: readonly (readonly [string, Route['method'], string])[] = [
  ['API-18', 'POST', '/auth/login'],
  ['API-19', 'POST', '/auth/user-login'],
  ['API-20', 'POST', '/auth/refresh-token'],
  ['API-23', 'POST', '/auth/log-out'],
  ['API-25', 'POST', '/limit/auth/register'],
  ['API-26', 'POST', '/auth'],
  ['API-27', 'POST', '/limit/auth/verify-token'],
  ['API-28', 'POST', '/limit/auth/resend-otp'],
  ['API-30', 'POST', '/auth/forgot-password'],
  ['API-32', 'POST', '/auth/reset-password'],
  ['API-33', 'POST', '/pay/create-payment'],
  ['API-35', 'POST', '/autoPayRoutes/create-invoice'],
  ['API-36', 'POST', '/deposit-wallet/transfer-deposit-wallet'],
  ['API-37] [API-14', 'POST', '/withdrow-request'],
  ['API-38] [API-14', 'POST', '/tizara-exchagne-and-convart/exchange-to-my-wallet'],
  ['API-39] [API-14', 'POST', '/tizara-exchagne-and-convart/convart-to-my-wallet'],
  ['API-40', 'POST', '/usd-transfer/nft-to-deposit-wallet'],
  ['API-41', 'POST', '/usd-transfer/user-to-user-deposit'],
  ['API-42] [API-14', 'POST', '/my-wallet/convart-to-usd'],
  ['API-43', 'POST', '/special-rcm/withdraw-rcm-coin'],
  ['API-45', 'POST', '/my-wallet/swap-native-to-my-wallet'],
  ['API-46', 'POST', '/buy-token'],
  ['API-47', 'POST', '/stack-now'],
  ['API-48] [API-14', 'POST', '/nft-purchese'],
  ['API-50', 'GET', '/general-settings'],
  ['API-51', 'GET', '/exchange-settings'],
  ['API-52] [API-14', 'GET', '/exchange-settings/get-exchagne-history'],
  ['API-53', 'GET', '/popup'],
  ['API-55', 'GET', '/profile'],
  ['API-56', 'GET', '/profile/my-team'],
  ['API-57', 'GET', '/nft-wallets/my-nft-wallet'],
  ['API-58', 'GET', '/user-wallet'],
  ['API-59', 'GET', '/home/user/count'],
  ['API-60', 'GET', '/deposit-request'],
  ['API-61', 'GET', '/stack-bonus-history'],
  ['API-62', 'GET', '/transaction-history'],
  ['API-63] [API-14', 'GET', '/profit-bounty/my-bounty-historys'],
  ['API-64] [API-14', 'GET', '/roy-bonus-historys'],
  ['API-65', 'GET', '/buy-token'],
  ['API-66', 'GET', '/stack-now'],
  ['API-67', 'GET', '/stack-coin-settings'],
  ['API-68', 'GET', '/nft/active-nft'],
  ['API-69] [API-14', 'GET', '/nft-purchese/history'],
  ['API-70', 'GET', '/nft-monthly-roi-history'],
  ['API-71', 'GET', '/nft-level-bonus'],
  ['API-72', 'GET', '/nft-monthly-roi-history/my-profit-bounty-history'],
  ['API-73] [API-14', 'GET', '/withdrow-request/get-my-withdraw-history'],
  ['API-74] [API-14', 'GET', '/pay/get-my-depsit'],
  ['API-77', 'GET', '/deposit-wallet/transfer-history'],
  ['API-78] [API-14', 'GET', '/stake-logs/my-bounty-historys'],
  ['API-79', 'GET', '/stake-logs/reward-history'],
  ['API-80', 'GET', '/stake-logs'],
  ['API-81', 'GET', '/rank/my-ranked-bonus'],
  ['API-82', 'GET', '/test'],
  ['API-84', 'GET', '/stake-logs/count-my-downline-stake'],
  ['API-86] [API-14', 'GET', '/special-rcm/last-refferer'],
  ['API-88', 'GET', '/special-rcm/get-total-team-stake'],
  ['API-89', 'GET', '/ticket'],
  ['API-90', 'GET', '/ticket/:id'],
  ['API-91', 'PATCH', '/ticket/:id'],
  ['API-92', 'POST', '/ticket/create'],
  ['API-93] [API-14', 'POST', '/ticket/create-replay'],
  ['API-94', 'GET', '/payments/:id'],
  ['API-95', 'GET', '/invoice/:id'],
]

describe('API routes', () => {
  it.each(specified)('[%s] %s %s is a call', (_, method, path) => {
    expect(at(method, path)).toBeDefined()
  })

  it('[API-96] uses the invoice base only for the invoice service, without session and envelope', () => {
    const invoice = allRoutes.filter((route) => route.base === 'invoice')
    expect(invoice.map((route) => route.path).toSorted()).toEqual(['/invoice/:id', '/payments/:id', '/sandbox/invoices/:id/pay'])
    expect(invoice.every((route) => route.access === 'public' && route.bare === true)).toBe(true)
  })

  it('have unique names', () => {
    const names = allRoutes.map((route) => route.name)
    expect(names.length).toBeGreaterThan(specified.length)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
  })

  it('have a unique method and path', () => {
    const paths = allRoutes.map((route) => `${route.method} ${route.base ?? 'api'} ${route.path.replace(/:\w+/g, ':')}`)
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([])
  })

  it('describe every parameter of a path', () => {
    for (const route of allRoutes) {
      const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1])
      const described = route.params !== undefined && 'entries' in route.params ? Object.keys(Object(route.params.entries)) : []
      expect(described.toSorted(), route.name).toEqual(inPath.toSorted())
    }
  })

  it('declare every kind of history in at least one list', () => {
    const declared = new Set(allRoutes.flatMap((route) => route.history ?? []))
    expect([...declared].toSorted()).toEqual(historyKinds.toSorted())
  })

  it('mark every call that moves or requests money, and no call that only reads', () => {
    const money = allRoutes.filter((route) => route.money === true)
    expect(
      money
        .filter((route) => route.access === 'member')
        .map((route) => route.path)
        .toSorted(),
    ).toEqual(
      [
        '/pay/create-payment',
        '/autoPayRoutes/create-invoice',
        '/deposit-wallet/transfer-deposit-wallet',
        '/withdrow-request',
        '/tizara-exchagne-and-convart/exchange-to-my-wallet',
        '/tizara-exchagne-and-convart/convart-to-my-wallet',
        '/my-wallet/swap-native-to-my-wallet',
        '/usd-transfer/nft-to-deposit-wallet',
        '/usd-transfer/user-to-user-deposit',
        '/my-wallet/convart-to-usd',
        '/special-rcm/withdraw-rcm-coin',
        '/buy-token',
        '/stack-now',
        '/nft-purchese',
      ].toSorted(),
    )
    expect(money.filter((route) => route.method === 'GET')).toEqual([])
    expect(
      money
        .filter((route) => route.access === 'staff')
        .map((route) => route.name)
        .toSorted(),
    ).toEqual(['approveRequest', 'creditRcm', 'fundRewardPool', 'rejectRequest', 'stopSending', 'reversePurchase'].toSorted())
  })

  it('[API-17] limit the seven calls that could be used for guessing', () => {
    const limited = allRoutes.filter((route) => route.limited === true).map((route) => route.path)
    expect(limited).toEqual(
      expect.arrayContaining([
        '/auth/login',
        '/auth/user-login',
        '/limit/auth/register',
        '/limit/auth/verify-token',
        '/limit/auth/resend-otp',
        '/auth/forgot-password',
        '/auth/reset-password',
      ]),
    )
  })

  it('[RO-16] let an unverified member read the profile, the announcement and the general settings only', () => {
    const reads = allRoutes.filter((route) => route.access === 'session' && route.method === 'GET').map((route) => route.path)
    expect(reads.toSorted()).toEqual(['/general-settings', '/popup', '/profile'])
  })

  it('[RO-05] [RO-06] take the link’s token for the link and reset calls, and the stored token for the code calls', () => {
    expect(at('POST', '/auth')?.access).toBe('link')
    expect(at('POST', '/auth/reset-password')?.access).toBe('link')
    expect(at('POST', '/limit/auth/verify-token')?.access).toBe('session')
    expect(at('POST', '/limit/auth/resend-otp')?.access).toBe('session')
  })

  it('let no staff member set a password', () => {
    const staff = Object.values(allRoutes).filter((route) => route.access === 'staff')
    const fields = staff.flatMap((route) =>
      route.body !== undefined && 'entries' in route.body ? Object.keys(route.body.entries as object) : [],
    )
    expect(staff.length).toBeGreaterThan(10)
    expect(fields.filter((name) => /password/i.test(name))).toEqual([])
  })

  it('restrict the staff calls to staff', () => {
    const staff = allRoutes.filter((route) => route.path.startsWith('/staff/'))
    expect(staff.length).toBeGreaterThan(20)
    expect(staff.filter((route) => route.access !== 'staff')).toEqual([])
  })

  it('[API-03] [VA-84] send JSON except for the uploads of tickets, of at most 1 MB, of profile images, of logos and of screening lists', () => {
    const uploads = allRoutes.filter((route) => route.upload !== undefined)
    expect(uploads.map((route) => route.path)).toEqual([
      '/profile/image',
      '/ticket/create',
      '/ticket/create-replay',
      '/staff/screening/lists',
      '/staff/tickets/:id/reply',
      '/staff/brand/logo',
    ])
    expect(uploads.map((route) => route.upload)).toEqual([
      { field: 'image', required: true, maxBytes: 5_242_880 },
      { field: 'image', required: true, maxBytes: 1_048_576 },
      { field: 'image', required: false, maxBytes: 1_048_576 },
      { field: 'list', required: true, maxBytes: 20_000_000 },
      { field: 'image', required: false, maxBytes: 1_048_576 },
      { field: 'image', required: true, maxBytes: 1_048_576 },
    ])
  })

  it('can be written as JSON Schema', () => {
    for (const route of allRoutes) {
      for (const schema of [route.body, route.query, route.params, route.reply]) {
        if (schema !== undefined) {
          expect(JSON.stringify(toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })), route.name).toContain('{')
        }
      }
    }
  })
})

describe('error codes', () => {
  it('[ER-70] have the listed texts', () => {
    const texts: string[] = Object.values(errorCatalogue).map((refusal) => refusal.message)
    expect(texts).toEqual(
      expect.arrayContaining([
        'Insufficient balance',
        'Invalid amount',
        'Invalid wallet address',
        'User not found',
        'You cannot transfer to yourself',
        'Email already exists',
        'Invalid email or password',
        'Invalid referral code',
        'Price has changed, please try again',
        'NFT sold out',
        'Minimum stake amount is {minimum}',
        'Please verify your email',
        'Invalid or expired OTP',
        'Your account is blocked',
      ]),
    )
  })

  it('[VA-69] insert the figure into the text', () => {
    expect(errorMessage('BELOW_MINIMUM_STAKE', { minimum: '500' })).toBe('Minimum stake amount is 500')
  })

  it('[API-15] use 403 only for an expired access token', () => {
    const forbidden = Object.entries(errorCatalogue).filter(([, refusal]) => (refusal.status as number) === 403)
    expect(forbidden.map(([code]) => code)).toEqual(['TOKEN_EXPIRED'])
  })
})

/** Returns a schema's object keys, at any depth. */
function keysIn(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const parts = Object.entries(schema as Record<string, unknown>).flatMap(([name, value]): [string[], unknown[]][] => {
    if (name === 'entries' && typeof value === 'object' && value !== null) return [[Object.keys(value), Object.values(value)]]
    if (['item', 'wrapped', 'key', 'value', 'rest'].includes(name)) return [[[], [value]]]
    return ['pipe', 'options', 'items'].includes(name) && Array.isArray(value) ? [[[], value]] : []
  })
  return parts.flatMap(([keys, inner]) => [...keys, ...inner.flatMap((one) => keysIn(one, seen))])
}

describe('keys of replies', () => {
  const naming = (pattern: RegExp) =>
    allRoutes.filter((route) => keysIn(route.reply).some((key) => pattern.test(key))).map(({ name }) => name)

  it('include no password, hash or key, and a secret only while an authenticator app or a webhook is set up', () => {
    expect(keysIn(at('GET', '/profile')?.reply)).toContain('myReferralCode')
    expect(naming(/passw|private|mnemonic|sealed/i)).toEqual([])
    // Digests of published statements.
    expect(naming(/digest/i).toSorted()).toEqual(['trustHistory', 'trustPage'])
    // The proof of reserves' leaves and branches are public, and so are the transactions with its digests. Staff also see hashes of
    // audit entries, previews, reward days and transactions, of accounting files, of uploaded logos and of screening lists.
    expect(naming(/(?<!tx)hash$/i).toSorted()).toEqual([
      'myProof',
      'payRewardDay',
      'previewChange',
      'previewRewardDay',
      'staffAccounting',
      'staffAudit',
      'staffAuditChain',
      'staffChange',
      'staffImports',
      'staffMemberDetail',
      'staffQueueItem',
      'staffScreeningLists',
      'staffTermsOfUse',
      'termsOfUse',
      'trustHistory',
      'trustPage',
      'uploadLogo',
      'uploadScreeningList',
    ])
    expect(naming(/secret/i)).toEqual(['beginTotp', 'rotateWebhookSecret'])
  })

  it('include a phone number only for its member and for staff', () => {
    expect(naming(/phone/i).filter((name) => !name.startsWith('staff'))).toEqual(['profile'])
  })
})
