import { errorHeaders, requestHeaders } from '@tizara/contract/request-headers'
import { describe, expect, it } from 'vitest'
import { authTestApp } from '../../../test/auth-app.ts'
import { PRODUCTION } from '../../../test/production-environment.ts'
import { readConfig } from '../../platform/config/config.ts'
import { contentSecurityPolicy } from './security-headers.ts'

const ENVIRONMENT = { ...PRODUCTION, DATABASE_URL: 'postgres://localhost/none' }

const app = await authTestApp(ENVIRONMENT)

/** One answer of each kind: done, refused, without session, unknown, broken input. */
const ANSWERS = [
  ['POST', '/auth/log-out', {}],
  ['POST', '/auth/login', { email: 'nobody@gmail.com', password: 'x' }],
  ['GET', '/profile', undefined],
  ['GET', '/nowhere', undefined],
  ['POST', '/auth/login', []],
] as const

describe.each(ANSWERS)('response to %s %s %j', (method, path, body) => {
  it('has every security header of production, a type with charset, and no version', async () => {
    const { headers } = await app.call(method, path, { body })
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'strict-origin',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(Object.keys(headers)).not.toContain('server')
    expect(Object.keys(headers)).not.toContain('x-powered-by')
  })

  it('is not readable from another origin', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://platform.example.evil.example']) {
      expect((await app.call(method, path, { body, headers: { origin } })).headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

it('[API-02] CORS allows an allowed origin every header that a client may send, and the headers of refusals', async () => {
  const origin = 'https://pages.platform.example'
  const named = await authTestApp({ ...ENVIRONMENT, ALLOWED_ORIGINS: origin })
  const { headers } = await named.call('OPTIONS', '/profile', {
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': requestHeaders.join(',').toLowerCase() },
  })
  expect(headers['access-control-allow-origin']).toBe(origin)
  expect(String(headers['access-control-allow-headers']).split(/, ?/)).toEqual([...requestHeaders])
  const refused = await named.call('GET', '/profile', { headers: { origin } })
  expect(String(refused.headers['access-control-expose-headers']).split(/, ?/)).toEqual([...errorHeaders])
})

it('the content security policy allows only same-origin files, without inline code or Trusted Types policies', () => {
  expect(contentSecurityPolicy(readConfig(ENVIRONMENT), { script: [], style: [] })).toBe(
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  )
})
