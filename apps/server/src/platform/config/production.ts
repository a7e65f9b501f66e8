import { DEVELOPMENT_SECRETS, type Environment, SETTINGS } from './environment.ts'

/** Loopback hosts of this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Settings required in production. */
export const REQUIRED: ReadonlySet<string> = new Set([
  'TOKEN_SECRET',
  'DATA_KEY',
  'PAYMENT_PROVIDER_URL',
  'PAYMENT_PROVIDER_SECRET',
  'PAYMENT_PROVIDER_KEY',
  'PAYMENT_INVOICE_HOSTS',
  'DATABASE_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'PUBLIC_URL',
])

/** Lists the settings that do not allow production: the name of each, and the value that it needs. */
export function productionErrors(settings: Environment): string[] {
  return [
    ...secretErrors(settings),
    ...requiredUrlErrors(settings),
    ...plainHttpErrors(settings),
    ...mailErrors(settings),
    ...switchErrors(settings),
  ]
}

/** Names without a dot and names of private zones, which only a private network resolves. */
const PRIVATE_NAME = /^[a-z0-9-]+$|\.(internal|local|svc|lan)$/
/** Private addresses (RFC 1918, RFC 4193, link-local). */
const PRIVATE_ADDRESS = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.|^\[(f[cd]|fe80)/

/** Requires https where secrets and payments cross untrusted networks. */
function plainHttpErrors(settings: Environment): string[] {
  const urls = {
    PAYMENT_PROVIDER_URL: settings.PAYMENT_PROVIDER_URL,
    PAYOUT_SIGNER_URL: settings.PAYOUT_SIGNER_URL,
    CHAIN_RPC_URL: settings.CHAIN_RPC_URL,
    CHAIN_SECOND_RPC_URL: settings.CHAIN_SECOND_RPC_URL,
  }
  const errors = Object.entries(urls).flatMap(([name, written]) =>
    (written ?? '').split(',').some((url) => isExposed(url.trim()))
      ? [`${name}: https, except on this machine or in a private network`]
      : [],
  )
  if (settings.ALLOWED_ORIGINS.some((origin) => !origin.startsWith('https:'))) errors.push('ALLOWED_ORIGINS: https origins')
  return errors
}

function isExposed(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'ws:') return false
  return ![LOOPBACK, PRIVATE_NAME, PRIVATE_ADDRESS].some((pattern) => pattern.test(hostname))
}

/** Usual maximum number of reverse proxies in front of the API: a load balancer and a web server. */
const USUAL_PROXIES = 2
const MAX_RESET_MINUTES = 120

/**
 * Lists the settings that weaken production, for the log and the doctor. Production starts with them.
 * @returns for each: the risk, and the correction as a phrase that the caller completes with the name of the settings file
 */
export function weakSettings(config: {
  trustProxy: number
  rateLimitScale: number
  resetLinkMinutes: number
}): { what: string; fix: string }[] {
  const { trustProxy, rateLimitScale, resetLinkMinutes } = config
  return [
    rateLimitScale > 1 && {
      what: `RATE_LIMIT_SCALE is ${rateLimitScale}: attackers can make ${rateLimitScale} times as many attempts`,
      fix: 'remove RATE_LIMIT_SCALE from',
    },
    trustProxy > USUAL_PROXIES && {
      what: `TRUST_PROXY is ${trustProxy}: with fewer proxies, clients can forge their IP address and evade rate limits`,
      fix: 'set TRUST_PROXY to the number of proxies in',
    },
    resetLinkMinutes > MAX_RESET_MINUTES && {
      what: `RESET_LINK_MINUTES is ${resetLinkMinutes}: reset links in an old mailbox stay usable`,
      fix: `set RESET_LINK_MINUTES to ${MAX_RESET_MINUTES} or less in`,
    },
  ].filter((weak) => weak !== false)
}

function secretErrors(settings: Environment): string[] {
  const errors: string[] = []
  const texts = new Map(Object.entries(settings).map(([name, value]) => [name, typeof value === 'string' ? value : '']))
  const known: readonly string[] = Object.values(DEVELOPMENT_SECRETS)
  const used = new Map<string, string>()
  for (const { name, minLength } of SETTINGS) {
    if (minLength === undefined) continue
    const value = texts.get(name) ?? ''
    if (value === '' && !REQUIRED.has(name)) continue
    if (value.length < minLength || known.includes(value)) errors.push(`${name}: a secret of at least ${minLength} characters`)
    const other = used.get(value)
    if (other !== undefined) errors.push(`${name}: a secret of its own, not that of ${other}`)
    used.set(value, name)
  }
  return errors
}

function requiredUrlErrors(settings: Environment): string[] {
  const errors: string[] = []
  if (settings.DATABASE_URL === undefined) errors.push('DATABASE_URL: a PostgreSQL server')
  if (settings.PAYMENT_PROVIDER_URL === undefined) errors.push('PAYMENT_PROVIDER_URL: a payment provider')
  if ((settings.PAYMENT_INVOICE_HOSTS ?? []).length === 0) errors.push('PAYMENT_INVOICE_HOSTS: hosts of the payment pages')
  if (settings.PUBLIC_URL === undefined || !settings.PUBLIC_URL.startsWith('https://')) errors.push('PUBLIC_URL: an https address')
  return errors
}

/** A relay on the same machine is allowed. A sender address without a mailbox is not. */
function mailErrors(settings: Environment): string[] {
  const domain = settings.MAIL_FROM.slice(settings.MAIL_FROM.lastIndexOf('@') + 1)
  const errors: string[] = []
  if (settings.SMTP_URL === undefined) errors.push('SMTP_URL: a mail server')
  if (LOOPBACK.test(domain) || !domain.includes('.')) errors.push('MAIL_FROM: an address that members can write to')
  return errors
}

function switchErrors(settings: Environment): string[] {
  const errors: string[] = []
  if (settings.STAFF_SECOND_FACTOR === 'off') errors.push('STAFF_SECOND_FACTOR: required')
  if (settings.SANDBOX === 'on') errors.push('SANDBOX: off')
  return errors
}
