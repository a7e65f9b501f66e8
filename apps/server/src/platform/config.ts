import path from 'node:path'
import * as v from 'valibot'

const DEVELOPMENT_TOKEN_SECRET = 'development-token-secret-not-for-production'
const DEVELOPMENT_PAYMENT_SECRET = 'development-payment-secret-not-for-production'

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'must be a port number'), v.transform(Number), v.maxValue(65_535))
const url = v.pipe(v.string(), v.url('must be a URL'))
const positive = v.pipe(v.string(), v.transform(Number), v.number(), v.minValue(0.001, 'must be above 0'))

const whole = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be ${least} to ${most}`),
    v.maxValue(most, `must be ${least} to ${most}`),
  )
/** Lower case, as browsers write hosts: `pay.example` or `pay.example:8443`. */
const hosts = v.pipe(
  v.string(),
  v.transform(list),
  v.array(v.pipe(v.string(), v.regex(/^[a-z0-9.-]+(:\d{1,5})?$/, 'must be host names, with a port where it is not the usual one'))),
)

const environment = v.object({
  NODE_ENV: v.optional(v.picklist(['development', 'test', 'production']), 'development'),
  PORT: v.optional(port, '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), './data'),
  DATABASE_URL: v.optional(v.string()),
  DATABASE_POOL: v.optional(v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number)), '20'),
  SMTP_URL: v.optional(v.string()),
  MAIL_FROM: v.optional(v.string(), 'no-reply@localhost'),
  PAYMENT_PROVIDER_URL: v.optional(url),
  PAYMENT_PROVIDER_SECRET: v.optional(v.string(), DEVELOPMENT_PAYMENT_SECRET),
  PAYMENT_PROVIDER_KEY: v.optional(v.string()),
  PAYMENT_INVOICE_HOSTS: v.optional(hosts),
  TOKEN_SECRET: v.optional(v.string(), DEVELOPMENT_TOKEN_SECRET),
  TOKEN_SECRET_PREVIOUS: v.optional(v.string()),
  ACCESS_TOKEN_SECONDS: v.optional(whole(60, 3600), '900'),
  SESSION_REST_DAYS: v.optional(whole(1, 30), '7'),
  STAFF_SECOND_FACTOR: v.optional(v.picklist(['required', 'off']), 'required'),
  PUBLIC_URL: v.optional(url),
  API_BASE_URL: v.optional(v.string(), '/api/v1'),
  INVOICE_BASE_URL: v.optional(v.string(), '/invoice-api'),
  ALLOWED_ORIGINS: v.optional(v.string(), ''),
  TRUST_PROXY: v.optional(v.pipe(v.string(), v.regex(/^\d$/), v.transform(Number)), '0'),
  RATE_LIMIT_SCALE: v.optional(positive, '1'),
  LOG_LEVEL: v.optional(v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info'),
  BRAND_NAME: v.optional(v.string(), 'Tizara'),
  TOKEN_SYMBOL: v.optional(v.string(), 'TIZARA'),
  ALLOWED_EMAIL_DOMAINS: v.optional(v.string(), 'gmail.com,yahoo.com,hotmail.com,hotmail.co.uk,hotmail.fr,outlook.com'),
  CLOCK_FILE: v.optional(v.string()),
  SANDBOX: v.optional(v.picklist(['on', 'off'])),
})

/** Everything that the environment decides, read and checked once at the start. */
export interface Config {
  mode: 'development' | 'test' | 'production'
  /** Play money: the sandbox payment provider, the outbox page, the demo cast. Never in production. */
  sandbox: boolean
  port: number
  host: string
  /** Absolute path of the folder that this process owns. */
  dataDir: string
  /** PostgreSQL to use; absent means the embedded database in dataDir. */
  databaseUrl: string | undefined
  /** Most connections of one process. */
  databasePool: number
  smtpUrl: string | undefined
  mailFrom: string
  /** Base URL of the payment provider; absent means the bundled sandbox provider. */
  paymentProviderUrl: string | undefined
  /** What the provider's notices are signed with. */
  paymentProviderSecret: string
  /** The key that we show to the provider's API. */
  paymentProviderKey: string
  /** Hosts that a payment page may be on; absent means the provider's own host. */
  paymentInvoiceHosts: string[] | undefined
  tokenSecret: string
  /** The signing secret before the last rotation, still accepted. */
  tokenSecretPrevious: string | undefined
  /** Life of an access token (API-22). */
  accessTokenSeconds: number
  /** Days that a member's session may rest before it ends. */
  sessionRestDays: number
  /** Whether staff calls answer only accounts with a second factor; always so outside the sandbox. */
  staffSecondFactor: boolean
  /** Address that members open; links in mails start with it. */
  publicUrl: string
  apiBaseUrl: string
  invoiceBaseUrl: string
  /** Other origins that may call the API with credentials. */
  allowedOrigins: string[]
  /** Number of proxies in front whose X-Forwarded-For is believed. */
  trustProxy: number
  /** Multiplies every request limit (API-17). */
  rateLimitScale: number
  logLevel: string
  brandName: string
  tokenSymbol: string
  /** E-mail domains that may sign up (VA-15), lower case. */
  allowedEmailDomains: string[]
  clockFile: string | undefined
}

/**
 * Reads the environment.
 * @throws Error that names every fault, and in production every missing secret, at once
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = v.safeParse(environment, env)
  if (!parsed.success) {
    throw new Error(`Configuration:\n${parsed.issues.map((issue) => `  ${v.getDotPath(issue)}: ${issue.message}`).join('\n')}`)
  }
  const read = parsed.output
  const production = read.NODE_ENV === 'production'
  const faults = production ? productionFaults(read) : []
  if (faults.length > 0) throw new Error(`Production needs:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  const sandbox = !production && read.SANDBOX !== 'off'
  return {
    mode: read.NODE_ENV,
    sandbox,
    port: read.PORT,
    host: read.HOST,
    dataDir: path.resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    databasePool: read.DATABASE_POOL,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    paymentProviderUrl: read.PAYMENT_PROVIDER_URL,
    paymentProviderSecret: read.PAYMENT_PROVIDER_SECRET,
    // The bundled provider has one secret for both.
    paymentProviderKey: read.PAYMENT_PROVIDER_KEY ?? read.PAYMENT_PROVIDER_SECRET,
    paymentInvoiceHosts: read.PAYMENT_INVOICE_HOSTS,
    tokenSecret: read.TOKEN_SECRET,
    tokenSecretPrevious: read.TOKEN_SECRET_PREVIOUS,
    accessTokenSeconds: read.ACCESS_TOKEN_SECONDS,
    sessionRestDays: read.SESSION_REST_DAYS,
    staffSecondFactor: !sandbox || read.STAFF_SECOND_FACTOR === 'required',
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ''),
    apiBaseUrl: read.API_BASE_URL,
    invoiceBaseUrl: read.INVOICE_BASE_URL,
    allowedOrigins: list(read.ALLOWED_ORIGINS),
    trustProxy: read.TRUST_PROXY,
    rateLimitScale: read.RATE_LIMIT_SCALE,
    logLevel: read.LOG_LEVEL,
    brandName: read.BRAND_NAME,
    tokenSymbol: read.TOKEN_SYMBOL,
    allowedEmailDomains: list(read.ALLOWED_EMAIL_DOMAINS),
    clockFile: production ? undefined : read.CLOCK_FILE,
  }
}

function productionFaults(read: v.InferOutput<typeof environment>): string[] {
  const faults: string[] = []
  const secret = (name: 'TOKEN_SECRET' | 'PAYMENT_PROVIDER_SECRET', fallback: string) => {
    if (read[name] === fallback || read[name].length < 32) faults.push(`${name}: a secret of at least 32 characters`)
  }
  secret('TOKEN_SECRET', DEVELOPMENT_TOKEN_SECRET)
  secret('PAYMENT_PROVIDER_SECRET', DEVELOPMENT_PAYMENT_SECRET)
  if (read.DATABASE_URL === undefined) faults.push('DATABASE_URL: a PostgreSQL server')
  if (read.SMTP_URL === undefined) faults.push('SMTP_URL: a mail server')
  if (read.PAYMENT_PROVIDER_URL === undefined) faults.push('PAYMENT_PROVIDER_URL: a payment provider')
  if (read.PAYMENT_PROVIDER_KEY === undefined || read.PAYMENT_PROVIDER_KEY === read.PAYMENT_PROVIDER_SECRET) {
    faults.push('PAYMENT_PROVIDER_KEY: the key of the payment provider, not the secret of its notices')
  }
  if ((read.PAYMENT_INVOICE_HOSTS ?? []).length === 0) faults.push('PAYMENT_INVOICE_HOSTS: hosts of the payment pages')
  if (read.STAFF_SECOND_FACTOR !== 'required') faults.push('STAFF_SECOND_FACTOR: required')
  if (read.PUBLIC_URL === undefined || !read.PUBLIC_URL.startsWith('https://')) faults.push('PUBLIC_URL: an https address')
  if (read.SANDBOX === 'on') faults.push('SANDBOX: off')
  return faults
}
