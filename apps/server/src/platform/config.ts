import type { MailTexts } from './setting-types.ts'
import path from 'node:path'
import { type Environment, readEnvironment } from './environment.ts'
import { productionFaults } from './production.ts'
import { ConfigFaults } from './setting.ts'

/** A chain, its token, and where both are read. */
export interface ChainConfig {
  chainId: number
  token: string
  decimals: number
  xpub: string
  startBlock: number | undefined
  rpcUrl: string
  witnessUrl: string | undefined
}

/** A token of the chain that is paid out. */
export interface PaidToken {
  /** Its contract, lower case. */
  token: string
  decimals: number
}

/** How the product sends approved payouts by itself. */
export interface PayoutsConfig {
  coin: PaidToken
  usd: PaidToken
  /** Most gwei for a unit of gas. */
  gasGweiMost: number
  /** Most payouts that are on the way at once. */
  inFlight: number
  /** Most that leaves within an hour, in whole units. */
  hourUsd: number
  hourCoin: number
}

/** Where the key of the hot wallet is; only the worker needs it. */
export type SignerConfig = { file: string; password: string } | { url: string; address: string }

/** Everything that the environment decides, read and checked once at the start. */
export interface Config {
  mode: 'development' | 'test' | 'production'
  /** Play money: the sandbox payment provider, the outbox page, the demo cast. Never in production. */
  sandbox: boolean
  port: number
  host: string
  /** Where a production process shows its figures; absent means nowhere. */
  metricsPort: number | undefined
  metricsHost: string
  /** Port of the bundled payment provider, where it is set. */
  sandboxPort: number | undefined
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
  /** Another such secret, accepted during a rotation. */
  paymentProviderSecretPrevious: string | undefined
  /** The key that we show to the provider's API. */
  paymentProviderKey: string
  /** Hosts that a payment page may be on; absent means the provider's own host. */
  paymentInvoiceHosts: string[] | undefined
  /** The chain that in-app invoices are paid on; absent means the play chain in a sandbox, and none in production. */
  chain: ChainConfig | undefined
  /** Absent means that payouts are sent by hand. */
  payouts: PayoutsConfig | undefined
  payoutSigner: SignerConfig | undefined
  /** An explorer of the chain, without a slash at its end. */
  explorerUrl: string | undefined
  tokenSecret: string
  /** Another signing secret that is accepted during a rotation. */
  tokenSecretPrevious: string | undefined
  /** Seals what is stored and has to be read again: authenticator apps, waiting mails. */
  dataKey: string
  /** Another key that opens during a rotation. */
  dataKeyPrevious: string | undefined
  /** Life of an access token (API-22). */
  accessTokenSeconds: number
  /** Days that a member's session may rest before it ends. */
  sessionRestDays: number
  /** Minutes that a session of staff may rest, and hours that it lasts. */
  staffRestMinutes: number
  staffSessionHours: number
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
  /** Life of a mailed code, of a verification link and of a reset link (GN-10). */
  codeMinutes: number
  verifyLinkHours: number
  resetLinkMinutes: number
  /** Subjects and paragraphs of mails that stand in for the product's own, by the name of the mail. */
  mailTexts: MailTexts
  /** Whether `/api/docs` and `/api/openapi.json` are served. */
  apiDocs: boolean
  brandName: string
  tokenSymbol: string
  /** E-mail domains that may sign up (VA-15), lower case. */
  allowedEmailDomains: string[]
  clockFile: string | undefined
}

/**
 * Reads the environment.
 * @throws ConfigFaults with every fault, and in production every missing secret, at once
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(env)
  const production = read.NODE_ENV === 'production'
  const faults = production ? productionFaults(read) : []
  if (faults.length > 0) throw new ConfigFaults('Production needs', faults)
  const sandbox = !production && read.SANDBOX !== 'off'
  return {
    mode: read.NODE_ENV,
    sandbox,
    port: read.PORT,
    host: read.HOST,
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
    sandboxPort: read.SANDBOX_PORT,
    dataDir: path.resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    databasePool: read.DATABASE_POOL,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    paymentProviderUrl: read.PAYMENT_PROVIDER_URL,
    paymentProviderSecret: read.PAYMENT_PROVIDER_SECRET,
    paymentProviderSecretPrevious: read.PAYMENT_PROVIDER_SECRET_PREVIOUS,
    // The bundled provider has one secret for both.
    paymentProviderKey: read.PAYMENT_PROVIDER_KEY ?? read.PAYMENT_PROVIDER_SECRET,
    paymentInvoiceHosts: read.PAYMENT_INVOICE_HOSTS,
    chain: chainOf(read),
    payouts: payoutsOf(read),
    payoutSigner: signerOf(read),
    explorerUrl: read.CHAIN_EXPLORER_URL?.replace(/\/+$/, ''),
    tokenSecret: read.TOKEN_SECRET,
    tokenSecretPrevious: read.TOKEN_SECRET_PREVIOUS,
    dataKey: read.DATA_KEY,
    dataKeyPrevious: read.DATA_KEY_PREVIOUS,
    accessTokenSeconds: read.ACCESS_TOKEN_SECONDS,
    sessionRestDays: read.SESSION_REST_DAYS,
    staffRestMinutes: read.STAFF_REST_MINUTES,
    staffSessionHours: read.STAFF_SESSION_HOURS,
    staffSecondFactor: !sandbox || read.STAFF_SECOND_FACTOR === 'required',
    codeMinutes: read.CODE_MINUTES,
    verifyLinkHours: read.VERIFY_LINK_HOURS,
    resetLinkMinutes: read.RESET_LINK_MINUTES,
    mailTexts: read.MAIL_TEXTS,
    apiDocs: read.API_DOCS === undefined ? !production : read.API_DOCS === 'on',
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ''),
    apiBaseUrl: read.API_BASE_URL,
    invoiceBaseUrl: read.INVOICE_BASE_URL,
    allowedOrigins: read.ALLOWED_ORIGINS,
    trustProxy: read.TRUST_PROXY,
    rateLimitScale: read.RATE_LIMIT_SCALE,
    logLevel: read.LOG_LEVEL,
    brandName: read.BRAND_NAME,
    tokenSymbol: read.TOKEN_SYMBOL,
    allowedEmailDomains: read.ALLOWED_EMAIL_DOMAINS,
    clockFile: production ? undefined : read.CLOCK_FILE,
  }
}

/** @throws ConfigFaults when only some of what a chain needs is set */
function chainOf(read: Environment): ChainConfig | undefined {
  const { CHAIN_RPC_URL: rpcUrl, CHAIN_TOKEN: token, CHAIN_XPUB: xpub } = read
  if (rpcUrl === undefined && token === undefined && xpub === undefined) return undefined
  if (rpcUrl === undefined || token === undefined || xpub === undefined)
    throw new ConfigFaults('Configuration', ['CHAIN_RPC_URL, CHAIN_TOKEN, CHAIN_XPUB: all of them, or none'])
  const { CHAIN_ID: chainId, CHAIN_TOKEN_DECIMALS: decimals, CHAIN_START_BLOCK: startBlock, CHAIN_WITNESS_URL: witnessUrl } = read
  return { chainId, token, decimals, xpub, startBlock, rpcUrl, witnessUrl }
}

/** @throws ConfigFaults when something that sending needs is missing */
function payoutsOf(read: Environment): PayoutsConfig | undefined {
  if (read.PAYOUTS !== 'automatic') return undefined
  const { CHAIN_TOKEN: coin, CHAIN_USD_TOKEN: usd } = read
  if (coin === undefined || usd === undefined)
    throw new ConfigFaults('Configuration', [
      'PAYOUTS=automatic needs the chain (CHAIN_RPC_URL, CHAIN_TOKEN, CHAIN_XPUB) and CHAIN_USD_TOKEN',
    ])
  return {
    coin: { token: coin, decimals: read.CHAIN_TOKEN_DECIMALS },
    usd: { token: usd, decimals: read.CHAIN_USD_TOKEN_DECIMALS },
    gasGweiMost: read.PAYOUT_GAS_GWEI,
    inFlight: read.PAYOUT_IN_FLIGHT,
    hourUsd: read.PAYOUT_HOUR_USD,
    hourCoin: read.PAYOUT_HOUR_COIN,
  }
}

/** @throws ConfigFaults when a file and a signer are named, or one of them without what it needs */
function signerOf(read: Environment): SignerConfig | undefined {
  const { PAYOUT_KEYSTORE: file, PAYOUT_KEYSTORE_PASSWORD: password, PAYOUT_SIGNER_URL: url, PAYOUT_SIGNER_ADDRESS: address } = read
  if (file === undefined && url === undefined) return undefined
  if (file !== undefined && password !== undefined && url === undefined) return { file, password }
  if (url !== undefined && address !== undefined && file === undefined) return { url, address }
  throw new ConfigFaults('Configuration', [
    'PAYOUT_KEYSTORE with PAYOUT_KEYSTORE_PASSWORD, or PAYOUT_SIGNER_URL with PAYOUT_SIGNER_ADDRESS: one of both',
  ])
}
