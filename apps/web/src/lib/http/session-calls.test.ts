// @vitest-environment happy-dom
import type { Route } from '@tizara/contract'
import { forgotPassword, login, logOut, refreshToken, register, resetPassword, userLogin, verifyLink } from '@tizara/contract/auth'
import { getPaymentStatus } from '@tizara/contract/deposits'
import { profile } from '@tizara/contract/members'
import { userWallet } from '@tizara/contract/wallets'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call } from './api.ts'
import { logOut as endSession } from './session-calls.ts'

interface Sent {
  path: string
  token: string | null
}

let sent: Sent[]
let answers: Map<string, (token: string | null) => Promise<Response> | Response>

const wallet = { depositWallet: 1, nativeWallet: 0, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0, rcmWallet: 0 }
const member = { id: 'm1', name: 'Amara', status: true, isVerified: true, isActive: true, myReferralCode: 'AMARA7' }
const yes = (data: unknown) => Response.json({ success: true, statusCode: 200, message: '', data })
const no = (status: number) => Response.json({ success: false, statusCode: status, message: 'No', errorMessages: [] }, { status })
const pathOf = (route: Route) => `/api/v1${route.path}`
const sentTo = (route: Route) => sent.filter(({ path }) => path === pathOf(route)).map(({ token }) => token)

/** Accepts the fresh token and rejects the old one. */
function expire(route: Route, data: unknown): void {
  answers.set(pathOf(route), (token) => (token === 'fresh' ? yes(data) : no(403)))
}

// Plain http: browsers provide no Web Locks there.
Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })

beforeEach(() => {
  sent = []
  answers = new Map()
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('Authorization')
    sent.push({ path: address, token })
    return (await answers.get(address)?.(token)) ?? no(404)
  })
  answers.set(pathOf(refreshToken), () => yes({ accessToken: 'fresh' }))
  answers.set(pathOf(logOut), () => yes(null))
  history.replaceState(null, '', '/dashboard')
  for (const [key, value] of Object.entries({
    tizaraUserToken: 'old',
    accessToken: 'old',
    userStatus: 'true',
    popupShown: 'true',
    'color-theme': 'dark',
    'sidebar-expanded': 'false',
  })) {
    localStorage.setItem(key, value)
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

it('[ST-14] [CO-02] [BR-12] [API-06] [RO-03] refreshes once after a 403 and repeats the call with the new token, bare', async () => {
  expire(userWallet, wallet)
  const { data } = await call(userWallet)
  expect(data.depositWallet).toBe(100_000_000n)
  expect(sentTo(userWallet)).toEqual(['old', 'fresh'])
  expect(sentTo(refreshToken)).toEqual(['old'])
  expect(localStorage.getItem('tizaraUserToken')).toBe('fresh')
  expect(localStorage.getItem('accessToken')).toBe('fresh')
})

it('[ST-13] [ST-14] refreshes once when several calls are rejected', async () => {
  const gate = Promise.withResolvers<void>()
  answers.set(pathOf(refreshToken), async () => {
    await gate.promise
    return yes({ accessToken: 'fresh' })
  })
  expire(userWallet, wallet)
  expire(profile, member)
  const calls = Promise.all([call(userWallet), call(profile), call(userWallet), call(profile)])
  await expect.poll(() => sentTo(refreshToken)).toHaveLength(1)
  await expect.poll(() => sent).toHaveLength(5)
  gate.resolve()
  await calls
  expect(sentTo(refreshToken)).toHaveLength(1)
  expect(sentTo(userWallet)).toEqual(['old', 'old', 'fresh', 'fresh'])
  expect(sentTo(profile)).toEqual(['old', 'old', 'fresh', 'fresh'])
})

it('[ST-13] repeats a call without a refresh when another call has refreshed meanwhile', async () => {
  answers.set(pathOf(userWallet), (token) => {
    if (token === 'fresh') return yes(wallet)
    localStorage.setItem('tizaraUserToken', 'fresh')
    return no(403)
  })
  await call(userWallet)
  expect(sentTo(userWallet)).toEqual(['old', 'fresh'])
  expect(sentTo(refreshToken)).toHaveLength(0)
})

it('[ST-17] [CO-02] fails only the call when its repeat is rejected, without a second refresh', async () => {
  answers.set(pathOf(userWallet), () => no(403))
  await expect(call(userWallet)).rejects.toMatchObject({ statusCode: 403 })
  expect(sentTo(userWallet)).toEqual(['old', 'fresh'])
  expect(sentTo(refreshToken)).toHaveLength(1)
  expect(localStorage.getItem('tizaraUserToken')).toBe('fresh')
  expect(location.pathname).toBe('/dashboard')
})

for (const [name, answer] of [
  ['is refused', () => no(401)],
  ['gets no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
] as const) {
  it(`[ST-15] [ER-04] logs out when the refresh ${name}`, async () => {
    answers.set(pathOf(refreshToken), answer)
    expire(userWallet, wallet)
    await expect(call(userWallet)).rejects.toMatchObject({ statusCode: 403 })
    expect(localStorage.getItem('tizaraUserToken')).toBeNull()
    expect(sentTo(userWallet)).toEqual(['old'])
    expect(location.pathname).toBe('/')
  })
}

it('[ST-16] [ER-05] logs out after a 401, without a refresh', async () => {
  answers.set(pathOf(userWallet), () => no(401))
  await expect(call(userWallet)).rejects.toMatchObject({ statusCode: 401 })
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
  expect(sentTo(refreshToken)).toHaveLength(0)
  expect(sentTo(logOut)).toEqual(['old'])
  expect(location.pathname).toBe('/')
})

it('[ST-16] keeps a session that began while the rejected call was pending', async () => {
  answers.set(pathOf(userWallet), () => {
    localStorage.setItem('tizaraUserToken', 'another')
    return no(401)
  })
  await expect(call(userWallet)).rejects.toMatchObject({ statusCode: 401 })
  expect(localStorage.getItem('tizaraUserToken')).toBe('another')
})

it('[ST-19] [ST-23] [BR-04] [BR-06] [BR-12] clears the session on logout, calls the server with the old token, keeps theme and sidebar', async () => {
  answers.set(pathOf(logOut), () => no(500))
  endSession()
  expect({ ...localStorage }).toEqual({ 'color-theme': 'dark', 'sidebar-expanded': 'false' })
  expect(location.pathname).toBe('/')
  await expect.poll(() => sentTo(logOut)).toEqual(['old'])
})

it('[ST-15] does not restore a session that ended during the refresh', async () => {
  answers.set(pathOf(refreshToken), () => {
    endSession()
    return yes({ accessToken: 'fresh' })
  })
  expire(userWallet, wallet)
  await expect(call(userWallet)).rejects.toMatchObject({ statusCode: 403 })
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
})

const credentials = { email: 'a@gmail.com', password: 'secret words' }
const exempt: ReadonlyArray<[string, Route, () => Promise<unknown>]> = [
  ['/auth/login', login, () => call(login, { body: credentials })],
  ['/auth/user-login', userLogin, () => call(userLogin, { body: credentials })],
  ['/auth/refresh-token', refreshToken, () => call(refreshToken)],
  ['/auth/log-out', logOut, () => call(logOut)],
  [
    '/limit/auth/register',
    register,
    () => call(register, { body: { ...credentials, name: 'A', phone: '+12015550123', referralCode: undefined } }),
  ],
  ['/auth/forgot-password', forgotPassword, () => call(forgotPassword, { body: { email: 'a@gmail.com' } })],
  ['POST /auth', verifyLink, () => call(verifyLink, { token: 'link' })],
  [
    '/auth/reset-password',
    resetPassword,
    () => call(resetPassword, { body: { newPassword: 'abcdef', confirmPassword: 'abcdef' }, token: 'link' }),
  ],
]

for (const [name, route, make] of exempt) {
  for (const status of [401, 403]) {
    it(`[ST-18] treats a ${status} of ${name} as a plain rejection`, async () => {
      answers.set(pathOf(route), () => no(status))
      await expect(make()).rejects.toMatchObject({ statusCode: status })
      expect(sent).toHaveLength(1)
      expect(localStorage.getItem('tizaraUserToken')).toBe('old')
      expect(location.pathname).toBe('/dashboard')
    })
  }
}

for (const status of [401, 403]) {
  it(`[ST-18] treats a ${status} of the invoice service as a plain rejection, and sends it no token`, async () => {
    answers.set('/invoice-api/payments/42', () => no(status))
    await expect(call(getPaymentStatus, { params: { id: '42' } })).rejects.toMatchObject({ statusCode: status })
    expect(sent).toEqual([{ path: '/invoice-api/payments/42', token: null }])
    expect(localStorage.getItem('tizaraUserToken')).toBe('old')
  })
}
