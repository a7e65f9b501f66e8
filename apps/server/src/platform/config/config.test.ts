import { reserveText } from '@tizara/contract/balance-proof/verify-signature'
import { addr, eip191Signer } from 'micro-eth-signer'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { weakSettings } from './production.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  TOKEN_SECRET: 't'.repeat(40),
  DATA_KEY: 'd'.repeat(40),
  DATABASE_URL: 'postgres://localhost/house',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'platform@platform.example',
  PAYMENT_PROVIDER_URL: 'https://api.pay.example',
  PAYMENT_PROVIDER_SECRET: 's'.repeat(40),
  PAYMENT_PROVIDER_KEY: 'the-key-of-the-provider',
  PAYMENT_INVOICE_HOSTS: 'pay.example, Checkout.pay.example:8443',
  PUBLIC_URL: 'https://platform.example',
}
const without = (name: keyof typeof PRODUCTION) => Object.fromEntries(Object.entries(PRODUCTION).filter(([key]) => key !== name))

describe('payment provider settings', () => {
  it('have a separate key, and hosts of payment pages', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({
      paymentProviderKey: 'the-key-of-the-provider',
      paymentInvoiceHosts: ['pay.example', 'checkout.pay.example:8443'],
    })
  })

  it.each(['PAYMENT_PROVIDER_KEY', 'PAYMENT_INVOICE_HOSTS', 'PAYMENT_PROVIDER_SECRET'] as const)('require %s in production', (name) => {
    expect(() => readConfig(without(name))).toThrow(`${name}: `)
  })

  it('reject the notice secret as the API key', () => {
    expect(() => readConfig({ ...PRODUCTION, PAYMENT_PROVIDER_KEY: PRODUCTION.PAYMENT_PROVIDER_SECRET })).toThrow('PAYMENT_PROVIDER_KEY: ')
  })

  it.each(['', ' , ', 'https://pay.example', 'pay.example/path', 'user@pay.example'])('reject %j as a list of hosts', (hosts) => {
    expect(() => readConfig({ ...PRODUCTION, PAYMENT_INVOICE_HOSTS: hosts })).toThrow('PAYMENT_INVOICE_HOSTS')
  })

  it('need nothing in the sandbox, where one secret serves both', () => {
    const config = readConfig({ NODE_ENV: 'test', PAYMENT_PROVIDER_SECRET: 'shared' })
    expect(config).toMatchObject({ paymentProviderKey: 'shared', paymentInvoiceHosts: undefined })
  })
})

describe('token and session lifetimes', () => {
  it('[API-22] default to 15 minutes and 7 idle days', () => {
    expect(readConfig({ NODE_ENV: 'test' })).toMatchObject({ accessTokenSeconds: 900, sessionIdleDays: 7 })
    expect(readConfig({ NODE_ENV: 'test', ACCESS_TOKEN_SECONDS: '60', SESSION_IDLE_DAYS: '30' })).toMatchObject({
      accessTokenSeconds: 60,
      sessionIdleDays: 30,
    })
  })

  it.each([
    ['ACCESS_TOKEN_SECONDS', '59'],
    ['ACCESS_TOKEN_SECONDS', '3601'],
    ['ACCESS_TOKEN_SECONDS', '1e3'],
    ['SESSION_IDLE_DAYS', '0'],
    ['SESSION_IDLE_DAYS', '31'],
    ['SESSION_IDLE_DAYS', '1.5'],
  ])('reject %s=%j', (name, value) => {
    expect(() => readConfig({ NODE_ENV: 'test', [name]: value })).toThrow(name)
  })
})

it('[GN-10] include codes and links, and mail texts are read', () => {
  const read = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env })
  expect(read({})).toMatchObject({ codeMinutes: 10, verifyLinkHours: 24, resetLinkMinutes: 30, mailTexts: {} })
  const own = { CODE_MINUTES: '5', VERIFY_LINK_HOURS: '48', RESET_LINK_MINUTES: '60', MAIL_TEXTS: '{"reset":{"lines":["Here:"]}}' }
  expect(read(own)).toMatchObject({ codeMinutes: 5, verifyLinkHours: 48, resetLinkMinutes: 60, mailTexts: { reset: { lines: ['Here:'] } } })
  for (const odd of ['{', '7', '{"other":{}}', '{"verification":{"lines":["one"]}}', '{"reset":{"lines":[""]}}', '{"reset":{"html":"x"}}'])
    expect(() => read({ MAIL_TEXTS: odd }), odd).toThrow('MAIL_TEXTS')
  for (const [name, value] of Object.entries({ CODE_MINUTES: '0', VERIFY_LINK_HOURS: '1000', RESET_LINK_MINUTES: '1' }))
    expect(() => read({ [name]: value }), name).toThrow(name)
})

it('API page is on outside production, and in production by a setting', () => {
  expect(readConfig({ NODE_ENV: 'development' }).apiDocs).toBe(true)
  expect(readConfig({ NODE_ENV: 'development', API_DOCS: 'off' }).apiDocs).toBe(false)
  expect(readConfig(PRODUCTION).apiDocs).toBe(false)
  expect(readConfig({ ...PRODUCTION, API_DOCS: 'on' }).apiDocs).toBe(true)
})

describe('second factor of staff', () => {
  it('is required, and only a sandbox may turn it off', () => {
    expect(readConfig({ NODE_ENV: 'development' }).staffSecondFactor).toBe(false)
    expect(readConfig({ NODE_ENV: 'development', STAFF_SECOND_FACTOR: 'required' }).staffSecondFactor).toBe(true)
    expect(readConfig({ NODE_ENV: 'development', SANDBOX: 'off' }).staffSecondFactor).toBe(true)
    expect(readConfig(PRODUCTION).staffSecondFactor).toBe(true)
    expect(readConfig({ NODE_ENV: 'development', STAFF_SECOND_FACTOR: 'off' }).staffSecondFactor).toBe(false)
    expect(readConfig({ NODE_ENV: 'development', SANDBOX: 'off', STAFF_SECOND_FACTOR: 'off' }).staffSecondFactor).toBe(true)
    expect(() => readConfig({ ...PRODUCTION, STAFF_SECOND_FACTOR: 'off' })).toThrow('STAFF_SECOND_FACTOR')
  })
})

describe('reserve addresses', () => {
  const CHAIN = {
    NODE_ENV: 'test',
    CHAIN_RPC_URL: 'http://127.0.0.1:8545',
    CHAIN_TOKEN: `0x${'11'.repeat(20)}`,
    CHAIN_USD_TOKEN: `0x${'22'.repeat(20)}`,
    CHAIN_XPUB: 'xpub',
    BRAND_NAME: 'Bank of  Coins',
  }
  const key = new Uint8Array(32).fill(7)
  const address = addr.fromPrivateKey(key)
  const signatureOf = (text: string) => eip191Signer.sign(text, key)
  const written = `${address}=${signatureOf(reserveText('Bank of Coins', 56, address))}`

  it('[I21] count with a signature of their key over the platform, the chain and the address', () => {
    expect(readConfig({ ...CHAIN, RESERVE_ADDRESSES: written }).reserveAddresses).toMatchObject([{ address: address.toLowerCase() }])
    expect(readConfig(CHAIN).reserveAddresses).toEqual([])
  })

  it.each([
    ['another chain', { CHAIN_ID: '97' }, /must sign this text: Reserve of Bank of Coins on chain 97: 0x/],
    ['another platform', { BRAND_NAME: 'Other' }, /must sign this text: Reserve of Other on chain 56: 0x/],
    ['another address', { RESERVE_ADDRESSES: written.replace(address, `0x${'33'.repeat(20)}`) }, /the key of 0x33/],
    ['no signature', { RESERVE_ADDRESSES: address }, /must be ADDRESS=SIGNATURE/],
    ['a second entry of the same address', { RESERVE_ADDRESSES: `${written},${written}` }, /listed twice/],
    ['no USD token', { CHAIN_USD_TOKEN: undefined }, /needs the chain and CHAIN_USD_TOKEN/],
  ])('[I21] are rejected with %s', (_, change, message) => {
    expect(() => readConfig({ ...CHAIN, RESERVE_ADDRESSES: written, ...change })).toThrow(message)
  })
})

describe('publishing digests on the chain', () => {
  const CHAIN = { NODE_ENV: 'test', CHAIN_RPC_URL: 'http://127.0.0.1:8545', CHAIN_TOKEN: `0x${'11'.repeat(20)}`, CHAIN_XPUB: 'xpub' }
  const KEY = { DIGEST_KEYSTORE: '/keys/digest.json', DIGEST_KEYSTORE_PASSWORD: 'a-password-of-a-test' }

  it('is off without a key, and needs its password and the chain', () => {
    expect(readConfig(CHAIN).digestKeystore).toBeUndefined()
    expect(readConfig({ ...CHAIN, ...KEY }).digestKeystore).toEqual({ file: '/keys/digest.json', password: 'a-password-of-a-test' })
    expect(() => readConfig({ NODE_ENV: 'test', ...KEY })).toThrow('DIGEST_KEYSTORE needs')
    expect(() => readConfig({ ...CHAIN, DIGEST_KEYSTORE: '/keys/digest.json' })).toThrow('DIGEST_KEYSTORE needs')
  })

  it('rejects the key of the hot wallet', () => {
    const wallet = { PAYOUT_KEYSTORE: KEY.DIGEST_KEYSTORE, PAYOUT_KEYSTORE_PASSWORD: 'a-password-of-a-test' }
    expect(() => readConfig({ ...CHAIN, ...KEY, ...wallet })).toThrow('are the same file')
  })
})

describe('faulty settings', () => {
  const errorsOf = (env: Record<string, string>): readonly string[] => {
    try {
      readConfig(env)
      return []
    } catch (error) {
      return (error as { errors: readonly string[] }).errors
    }
  }

  it('are all reported at once: unreadable ones, incomplete groups and those that production lacks', () => {
    const errors = errorsOf({
      ...without('SMTP_URL'),
      PORT: 'many',
      PAYMENT_PROVIDER_EMAIL: 'a@b.example',
      CHAIN_RPC_URL: 'https://node.example',
      ALLOWED_ORIGINS: '*',
    })
    expect(errors.map((error) => error.split(/[:,]/)[0])).toEqual([
      'PORT',
      'ALLOWED_ORIGINS',
      'PAYMENT_PROVIDER_EMAIL',
      expect.stringMatching(/^CHAIN_/),
      'SMTP_URL',
    ])
  })

  it.each([
    ['ALLOWED_ORIGINS', '*'],
    ['ALLOWED_ORIGINS', 'null'],
    ['ALLOWED_ORIGINS', 'https://app.example/path'],
    ['ALLOWED_ORIGINS', 'https://app.example, app.example'],
    ['ALLOWED_EMAIL_DOMAINS', '@gmail.com'],
    ['ALLOWED_EMAIL_DOMAINS', 'gmail.com;yahoo.com'],
    ['ALLOWED_EMAIL_DOMAINS', ' , '],
    ['METRICS_PORT', '3000'],
    ['SANDBOX_PORT', '3000'],
  ])('name %s=%j in one sentence', (name, value) => {
    expect(errorsOf({ NODE_ENV: 'development', [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: .{10}`))])
  })

  it('do not include different ports or an origin of this machine', () => {
    const env = {
      NODE_ENV: 'development',
      PORT: '0',
      METRICS_PORT: '0',
      ALLOWED_ORIGINS: 'http://127.0.0.1:5173',
    }
    expect(errorsOf(env)).toEqual([])
  })

  const chain = { CHAIN_TOKEN: `0x${'1'.repeat(40)}`, CHAIN_XPUB: 'xpub' }
  it.each([
    ['PAYMENT_PROVIDER_URL', {}],
    ['PAYOUT_SIGNER_URL', { PAYOUT_SIGNER_ADDRESS: `0x${'2'.repeat(40)}` }],
    ['CHAIN_RPC_URL', chain],
    ['CHAIN_SECOND_RPC_URL', chain],
  ])('%s is one in production when it is plain http to a public host', (name, more) => {
    const errorsFor = (url: string) => errorsOf({ ...PRODUCTION, ...more, [name]: url }).filter((error) => error.includes('https'))
    expect(errorsFor('http://pay.example')).toEqual([`${name}: https, except on this machine or in a private network`])
    expect(errorsFor('http://8.8.8.8:8545')).toHaveLength(1)
    for (const url of [
      'https://pay.example',
      'http://127.0.0.1:1',
      'http://[::1]:1',
      'http://10.1.2.3',
      'http://172.20.0.2',
      'http://signer:8550',
    ])
      expect(errorsFor(url), url).toEqual([])
    expect(errorsFor('http://172.32.0.2'), 'a public address').toHaveLength(1)
  })

  it('are origins without https in production', () => {
    expect(errorsOf({ ...PRODUCTION, ALLOWED_ORIGINS: 'http://app.example' })).toEqual(['ALLOWED_ORIGINS: https origins'])
    expect(errorsOf({ ...PRODUCTION, ALLOWED_ORIGINS: 'https://app.example' })).toEqual([])
  })
})

describe('weak settings', () => {
  it.each([
    ['RATE_LIMIT_SCALE', '2', '1'],
    ['TRUST_PROXY', '3', '2'],
    ['RESET_LINK_MINUTES', '121', '120'],
  ])('of production are named: %s=%s, and not %s', (name, weak, good) => {
    const named = (value: string) => weakSettings(readConfig({ ...PRODUCTION, [name]: value })).map(({ what }) => what)
    expect(named(weak)).toEqual([expect.stringContaining(`${name} is ${weak}: `)])
    expect(named(good)).toEqual([])
  })
})
