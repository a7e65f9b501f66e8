import type { Route } from '@tizara/contract'
import { login } from '@tizara/contract/auth'
import { getInvoice, getPaymentStatus, myDeposits } from '@tizara/contract/deposits'
import { myTeam } from '@tizara/contract/members'
import { nftHistory } from '@tizara/contract/nfts'
import { createTicket, replyToTicket } from '@tizara/contract/support'
import { userWallet } from '@tizara/contract/wallets'
import { withdrawDeposit } from '@tizara/contract/withdrawals'
import { afterEach, expect, it, vi } from 'vitest'
import { ApiError, toApiError } from './api-error.ts'
import { addressOf, send } from './http.ts'

let seen: { address: string; init: RequestInit } | undefined

function answer(respond: () => Promise<Response> | Response): void {
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    seen = { address, init }
    return await respond()
  })
}

const wallet = { depositWallet: 0.1, nativeWallet: 0, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0, rcmWallet: 0 }
const failure = async (route: Route = userWallet) => {
  try {
    await send(route, {}, 'token')
  } catch (error) {
    return error
  }
  return undefined
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('[API-04] [CO-01] [ER-07] aborts after 30 seconds with the common error', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('late', 'TimeoutError')))
  answer(() => Promise.reject(seen?.init.signal?.reason))
  expect(await failure()).toMatchObject({ statusCode: 500, message: 'Something went wrong', errorMessages: [], success: false })
  expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000)
  expect(seen?.init.signal?.aborted).toBe(true)
})

it('[API-05] [API-06] [API-07] [RO-03] [RO-04] sends cookies and the bare token', async () => {
  answer(() => Response.json({ success: true, data: wallet }))
  await send(userWallet, {}, 'the-token')
  expect(seen?.init.credentials).toBe('include')
  expect(new Headers(seen?.init.headers).get('Authorization')).toBe('the-token')
  await send(userWallet, {}, null)
  expect(new Headers(seen?.init.headers).has('Authorization')).toBe(false)
})

it('sends the time zone only with a sign-in', async () => {
  answer(() => Response.json({ success: true, data: { token: 'x', user: { isVerified: true } } }))
  await send(login, { body: { email: 'amara@gmail.com', password: 'secret' } }, null)
  expect(new Headers(seen?.init.headers).get('Time-Zone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  answer(() => Response.json({ success: true, data: wallet }))
  await send(userWallet, {}, 'the-token')
  expect(new Headers(seen?.init.headers).has('Time-Zone')).toBe(false)
})

it('[API-03] sends JSON, and the two ticket uploads as a form with the file', async () => {
  answer(() => Response.json({ success: true, data: { token: 'x', user: { isVerified: true } } }))
  await send(login, { body: { email: 'amara@gmail.com', password: 'secret' } }, null)
  expect(new Headers(seen?.init.headers).get('Content-Type')).toBe('application/json')
  expect(seen?.init.body).toBe('{"email":"amara@gmail.com","password":"secret"}')
  const file = new File(['x'], 'x.png', { type: 'image/png' })
  for (const [route, body] of [
    [createTicket, { title: 'Help', description: 'Please' }],
    [replyToTicket, { message: 'Please', ticketId: '7' }],
  ] as const) {
    await send(route, { body, file }, 'token')
    // The browser sets the header with the form boundary.
    expect(new Headers(seen?.init.headers).has('Content-Type')).toBe(false)
    expect(seen?.init.body instanceof FormData && Object.fromEntries(seen.init.body)).toEqual({ ...body, image: file })
  }
})

it('[API-01] [API-13] joins base, path and query with one slash and omits undefined values', () => {
  expect(addressOf(userWallet, {})).toBe('/api/v1/user-wallet')
  expect(addressOf(nftHistory, {})).toBe('/api/v1/nft-purchese/history')
  expect(addressOf(myDeposits, {})).toBe('/api/v1/pay/get-my-depsit')
  expect(addressOf(getInvoice, { params: { id: '7' } })).toBe('/invoice-api/invoice/7')
  expect(addressOf(getPaymentStatus, { params: { id: '7' } })).toBe('/invoice-api/payments/7')
  expect(addressOf(myTeam, { query: { page: 2, limit: undefined } })).toBe('/api/v1/profile/my-team?page=2')
})

it('[API-02] [API-97] calls the hosts of the page, and the invoice service without token and cookies', async () => {
  const bases = new Map([
    ['meta[name="api-base-url"]', 'https://api.example/api/v1/'],
    ['meta[name="invoice-base-url"]', 'https://pay.example'],
  ])
  vi.stubGlobal('document', { querySelector: (selector: string) => ({ content: bases.get(selector) ?? '' }) })
  answer(() => Response.json({ success: true, data: wallet }))
  await send(userWallet, {}, 'token')
  expect(seen?.address).toBe('https://api.example/api/v1/user-wallet')
  expect(seen?.init.credentials).toBe('include')
  answer(() => Response.json({ wallet_address: '0x00', amount: 5, token_name: 'TIZARA', created_at: '2026-01-31T10:20:30.000Z' }))
  await send(getInvoice, { params: { id: 'a/b' } }, 'token')
  expect(seen?.address).toBe('https://pay.example/invoice/a%2Fb')
  expect(seen?.init.credentials).toBe('omit')
  expect(new Headers(seen?.init.headers).has('Authorization')).toBe(false)
})

it('starts a trace with each call to the API, and sends it to no other origin or invoice service', async () => {
  const tracesOf = async (api: string) => {
    vi.stubGlobal('document', { querySelector: (selector: string) => (selector.includes('api-base') ? { content: api } : null) })
    const headers = []
    for (const [route, reply] of [
      [userWallet, { success: true, data: wallet }],
      [getInvoice, { wallet_address: '0x00', amount: 5, token_name: 'TIZARA', created_at: '2026-01-31T10:20:30.000Z' }],
    ] as const) {
      answer(() => Response.json(reply))
      await send(route, { params: { id: '7' } }, 'token')
      headers.push(new Headers(seen?.init.headers).get('traceparent'))
    }
    return headers
  }
  const [[first], [second]] = [await tracesOf(''), await tracesOf('/api/v1')]
  for (const headers of [first, second]) expect(headers).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(first).not.toBe(second)
  expect((await tracesOf('/api/v1'))[1]).toBeNull()
  for (const other of ['https://api.example/api/v1', '//api.example/api/v1']) expect(await tracesOf(other)).toEqual([null, null])
})

it('[ER-06] [ER-07] converts a network error to the common error', async () => {
  answer(() => Promise.reject(new TypeError('Failed to fetch')))
  const error = await failure()
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ statusCode: 500, message: 'Something went wrong', errorMessages: [], success: false, fromServer: false })
})

it('[ER-06] converts a rejection to the common error: status, message and field errors', async () => {
  const body = { success: false, message: 'Bad', errorMessages: [{ path: 'email', message: 'Taken' }, { message: 'Odd' }, 7] }
  answer(() => Response.json(body, { status: 422 }))
  expect(await failure()).toMatchObject({
    statusCode: 422,
    message: 'Bad',
    success: false,
    errorMessages: [
      { path: 'email', message: 'Taken' },
      { path: '', message: 'Odd' },
    ],
  })
})

for (const body of ['', '<html>', '{}', '{"message":""}', '{"message":7,"errorMessages":"x"}']) {
  it(`[ER-06] fills missing parts of the rejection ${body || 'nothing'} with defaults`, async () => {
    answer(() => new Response(body, { status: 502 }))
    expect(await failure()).toMatchObject({ statusCode: 502, message: 'Something went wrong', errorMessages: [], success: false })
  })
}

it('[ER-06] converts any thrown value to the common error', () => {
  expect(toApiError('boom')).toMatchObject({ statusCode: 500, message: 'Something went wrong', errorMessages: [], success: false })
})

it('[API-16] treats success false with status 200 as a rejection with its message', async () => {
  answer(() => Response.json({ success: false, statusCode: 409, message: 'Not so' }))
  expect(await failure(login)).toMatchObject({ statusCode: 409, message: 'Not so', fromServer: true })
  answer(() => Response.json({ success: false, statusCode: 200, message: 'Not so' }))
  expect(await failure(login)).toMatchObject({ statusCode: 400, message: 'Not so', fromServer: true })
})

it('[API-36] treats a statusCode of the body with status 200 as a rejection with its message', async () => {
  answer(() => Response.json({ statusCode: 400, message: 'Insufficient balance' }))
  expect(await failure(withdrawDeposit)).toMatchObject({ statusCode: 400, message: 'Insufficient balance', fromServer: true })
  answer(() => Response.json({ statusCode: 200, message: 'Requested' }))
  expect(await failure(withdrawDeposit)).toBeUndefined()
})

it('reports an unreadable answer as such', async () => {
  answer(() => Response.json({ success: true, data: { depositWallet: 'much' } }))
  expect(await failure()).toMatchObject({ unreadable: true, fromServer: true })
})

it('aborts a call when the caller cancels it', async () => {
  const stop = new AbortController()
  answer(() => {
    stop.abort()
    return Promise.reject(seen?.init.signal?.reason)
  })
  await expect(send(userWallet, { signal: stop.signal }, 'token')).rejects.toMatchObject({ name: 'AbortError' })
})
