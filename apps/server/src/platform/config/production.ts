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
  return [...secretFaults(read), ...partnerFaults(read), ...mailFaults(read), ...switchFaults(read)]
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
