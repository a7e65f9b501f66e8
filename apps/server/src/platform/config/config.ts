import path from 'node:path'
import { clockFileFault } from '../runtime/clock.ts'
import { chainOf, digestKeystoreOf, payoutsOf, readTokenSweep, reserveAddressesOf, signerOf } from './chain-config.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { productionFaults } from './production.ts'
import { ConfigFaults } from './setting.ts'

/** Configuration from the environment (`environment.ts`), read and checked once at startup. */
export type Config = ReturnType<typeof readConfig>
export type TracesConfig = NonNullable<Config['traces']>

/**
 * Reads the environment.
 * @throws ConfigFaults with every fault, and in production every missing secret, at once
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const { read, faults } = readEnvironment(env)
  const production = read.NODE_ENV === 'production'
  const others = [
    ...faultsOf([loginOf, chainOf, payoutsOf, signerOf, readTokenSweep].map((part) => () => part(read))),
    ...portFaults(read),
    ...(production ? productionFaults(read) : clockFaults(read)),
  ]
  // A setting that cannot be read causes no second fault by its missing value.
  const unread = new Set(faults.map(settingOf))
  const all = [...faults, ...others.filter((fault) => !unread.has(settingOf(fault)))]
  if (all.length > 0) throw new ConfigFaults(production && faults.length === 0 ? 'Production needs' : 'Configuration', all)
  const sandbox = !production && read.SANDBOX !== 'off'
  return {
    mode: read.NODE_ENV,
    /** Play money: the sandbox payment provider, the outbox page, the demo cast. */
    sandbox,
    port: read.PORT,
    host: read.HOST,
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
    sandboxChain: read.SANDBOX_CHAIN !== 'off',
    traces:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { url: read.OTEL_EXPORTER_OTLP_ENDPOINT, share: read.OTEL_TRACES_SAMPLER_ARG },
    sandboxPort: read.SANDBOX_PORT,
    dataDir: path.resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    databaseReadUrl: read.DATABASE_URL === undefined ? undefined : read.DATABASE_READ_URL,
    databasePool: read.DATABASE_POOL,
    rewardWorkers: read.DATABASE_URL === undefined ? 1 : read.REWARD_WORKERS,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    paymentProviderUrl: read.PAYMENT_PROVIDER_URL,
    paymentProviderSecret: read.PAYMENT_PROVIDER_SECRET,
    paymentProviderSecretPrevious: read.PAYMENT_PROVIDER_SECRET_PREVIOUS,
    // The bundled provider has one secret for both.
    paymentProviderLogin: loginOf(read),
    paymentProviderKey: read.PAYMENT_PROVIDER_KEY ?? read.PAYMENT_PROVIDER_SECRET,
    paymentInvoiceHosts: read.PAYMENT_INVOICE_HOSTS,
    chain: chainOf(read),
    payouts: payoutsOf(read),
    gasUsd: read.CHAIN_GAS_USD,
    payoutSigner: signerOf(read),
    sweep: readTokenSweep(read),
    reserveAddresses: reserveAddressesOf(read),
    digestKeystore: digestKeystoreOf(read),
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
    /** IP addresses and IPv6 /64 of the operator's offices, without the prefix length. */
    officeNetworks: read.OFFICE_NETWORKS.map((one) => one.replace(/\/(32|64)$/, '')),
    /** In the sandbox, staff and visitors can move the clock of this file ahead (`/sandbox/later`). */
    clockFile: production ? undefined : (read.CLOCK_FILE ?? (sandbox ? path.join(read.DATA_DIR, 'clock') : undefined)),
  }
}

const settingOf = (fault: string): string => (fault.split(/[:.,]/, 1)[0] ?? '').replace(/_FILE$/, '')

/** Returns the faults of settings that belong together. */
function faultsOf(parts: readonly (() => unknown)[]): readonly string[] {
  return parts.flatMap((readPart) => {
    try {
      readPart()
      return []
    } catch (error) {
      if (error instanceof ConfigFaults) return error.faults
      throw error
    }
  })
}

/** Two listeners of one process cannot share a port. Port 0 means any free port. */
function portFaults(read: Environment): string[] {
  const ports = { PORT: read.PORT, METRICS_PORT: read.METRICS_PORT, SANDBOX_PORT: read.SANDBOX_PORT }
  const used = new Map<number, string>()
  return Object.entries(ports).flatMap(([name, port]) => {
    if (port === undefined || port === 0) return []
    const other = used.get(port)
    used.set(port, name)
    return other === undefined ? [] : [`${name}: a port of its own, not ${port}, which is ${other}`]
  })
}

function clockFaults({ CLOCK_FILE: file }: Environment): string[] {
  const fault = file === undefined ? undefined : clockFileFault(file)
  return fault === undefined ? [] : [`CLOCK_FILE: ${fault}`]
}

/** @throws ConfigFaults when only one of the two is set */
function loginOf({ PAYMENT_PROVIDER_EMAIL: email, PAYMENT_PROVIDER_PASSWORD: password }: Environment) {
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined)
    throw new ConfigFaults('Configuration', ['PAYMENT_PROVIDER_EMAIL, PAYMENT_PROVIDER_PASSWORD: both of them, or none'])
  return { email, password }
}
