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

/** Lists in plain words which settings production lacks. */
export function productionFaults(read: Environment): string[] {
  return [...secretFaults(read), ...partnerFaults(read), ...plainHttpFaults(read), ...mailFaults(read), ...switchFaults(read)]
}

/** Names without a dot and names of private zones, which only a private network resolves. */
const PRIVATE_NAME = /^[a-z0-9-]+$|\.(internal|local|svc|lan)$/
/** Private addresses (RFC 1918, RFC 4193, link-local). */
const PRIVATE_ADDRESS = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.|^\[(f[cd]|fe80)/

/** Requires https where keys and payments cross networks of others. */
function plainHttpFaults(read: Environment): string[] {
  const urls = {
    PAYMENT_PROVIDER_URL: read.PAYMENT_PROVIDER_URL,
    PAYOUT_SIGNER_URL: read.PAYOUT_SIGNER_URL,
    CHAIN_RPC_URL: read.CHAIN_RPC_URL,
    CHAIN_WITNESS_URL: read.CHAIN_WITNESS_URL,
  }
  const faults = Object.entries(urls).flatMap(([name, written]) =>
    (written ?? '').split(',').some((url) => isExposed(url.trim()))
      ? [`${name}: https, except on this machine or in a private network`]
      : [],
  )
  if (read.ALLOWED_ORIGINS.some((origin) => !origin.startsWith('https:'))) faults.push('ALLOWED_ORIGINS: https origins')
  return faults
}

function isExposed(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'ws:') return false
  return ![LOOPBACK, PRIVATE_NAME, PRIVATE_ADDRESS].some((pattern) => pattern.test(hostname))
}

/** Maximum proxies in front of the API that are usual: a load balancer and a web server. */
const USUAL_PROXIES = 2
const MAX_RESET_MINUTES = 120

/** Lists the settings that weaken production, for the log and the doctor. Production starts with them. */
export function weakSettings(config: {
  trustProxy: number
  rateLimitScale: number
  resetLinkMinutes: number
}): { what: string; fix: string }[] {
  const { trustProxy, rateLimitScale, resetLinkMinutes } = config
  return [
    rateLimitScale > 1 && {
      what: `RATE_LIMIT_SCALE is ${rateLimitScale}: guessers have ${rateLimitScale} times as many calls`,
      fix: 'remove RATE_LIMIT_SCALE from',
    },
    trustProxy > USUAL_PROXIES && {
      what: `TRUST_PROXY is ${trustProxy}: with fewer proxies, callers choose their own address and have no limits`,
      fix: 'set TRUST_PROXY to the number of proxies in',
    },
    resetLinkMinutes > MAX_RESET_MINUTES && {
      what: `RESET_LINK_MINUTES is ${resetLinkMinutes}: a mailbox read later still gives the account away`,
      fix: `set RESET_LINK_MINUTES to ${MAX_RESET_MINUTES} or less in`,
    },
  ].filter((weak) => weak !== false)
}

function secretFaults(read: Environment): string[] {
  const faults: string[] = []
  const texts = new Map(Object.entries(read).map(([name, value]) => [name, typeof value === 'string' ? value : '']))
  const known: readonly string[] = Object.values(DEVELOPMENT_SECRETS)
  const used = new Map<string, string>()
  for (const { name, least } of SETTINGS) {
    if (least === undefined) continue
    const value = texts.get(name) ?? ''
    if (value === '' && !REQUIRED.has(name)) continue
    if (value.length < least || known.includes(value)) faults.push(`${name}: a secret of at least ${least} characters`)
    const other = used.get(value)
    if (other !== undefined) faults.push(`${name}: a secret of its own, not that of ${other}`)
    used.set(value, name)
  }
  return faults
}

function partnerFaults(read: Environment): string[] {
  const faults: string[] = []
  if (read.DATABASE_URL === undefined) faults.push('DATABASE_URL: a PostgreSQL server')
  if (read.PAYMENT_PROVIDER_URL === undefined) faults.push('PAYMENT_PROVIDER_URL: a payment provider')
  if ((read.PAYMENT_INVOICE_HOSTS ?? []).length === 0) faults.push('PAYMENT_INVOICE_HOSTS: hosts of the payment pages')
  if (read.PUBLIC_URL === undefined || !read.PUBLIC_URL.startsWith('https://')) faults.push('PUBLIC_URL: an https address')
  return faults
}

/** A relay on the same machine is allowed. A sender address without a mailbox is not. */
function mailFaults(read: Environment): string[] {
  const domain = read.MAIL_FROM.slice(read.MAIL_FROM.lastIndexOf('@') + 1)
  const faults: string[] = []
  if (read.SMTP_URL === undefined) faults.push('SMTP_URL: a mail server')
  if (LOOPBACK.test(domain) || !domain.includes('.')) faults.push('MAIL_FROM: an address that members can write to')
  return faults
}

function switchFaults(read: Environment): string[] {
  const faults: string[] = []
  if (read.STAFF_SECOND_FACTOR === 'off') faults.push('STAFF_SECOND_FACTOR: required')
  if (read.SANDBOX === 'on') faults.push('SANDBOX: off')
  return faults
}
