import path from 'node:path'
import { defaultBrand } from './brand.ts'
import { chainOf, digestKeystoreOf, payoutsOf, readTokenSweep, proceedsAddressesOf, reserveAddressesOf, signerOf } from './chain-config.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { productionErrors } from './production.ts'
import { ConfigErrors } from './setting.ts'

/** Configuration from the environment (`environment.ts`), read and checked once at startup. */
export type Config = ReturnType<typeof readConfig>
export type TracesConfig = NonNullable<Config['traces']>

/**
 * Reads the environment.
 * @throws ConfigErrors with every error, and in production every missing secret, at once
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const { settings, errors } = readEnvironment(env)
  const production = settings.NODE_ENV === 'production'
  const others = [
    ...errorsOf([loginOf, chainOf, payoutsOf, signerOf, readTokenSweep].map((part) => () => part(settings))),
    ...portErrors(settings),
    ...(production ? productionErrors(settings) : []),
  ]
  // Reports one error per setting: an unreadable setting is not also reported as missing.
  const unread = new Set(errors.map(settingOf))
  const all = [...errors, ...others.filter((error) => !unread.has(settingOf(error)))]
  if (all.length > 0) throw new ConfigErrors(production && errors.length === 0 ? 'Production needs' : 'Configuration', all)
  const sandbox = !production && settings.SANDBOX !== 'off'
  return {
    mode: settings.NODE_ENV,
    /** Play money: the sandbox payment provider, the page of sent test mails, the demo cast. */
    sandbox,
    port: settings.PORT,
    host: settings.HOST,
    metricsPort: settings.METRICS_PORT,
    metricsHost: settings.METRICS_HOST,
    sandboxChain: settings.SANDBOX_CHAIN !== 'off',
    traces:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { url: settings.OTEL_EXPORTER_OTLP_ENDPOINT, share: settings.OTEL_TRACES_SAMPLER_ARG },
    sandboxPort: settings.SANDBOX_PORT,
    dataDir: path.resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    databaseReadUrl: settings.DATABASE_URL === undefined ? undefined : settings.DATABASE_READ_URL,
    databasePool: settings.DATABASE_POOL,
    rewardWorkers: settings.DATABASE_URL === undefined ? 1 : settings.REWARD_WORKERS,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    paymentProviderUrl: settings.PAYMENT_PROVIDER_URL,
    paymentProviderSecret: settings.PAYMENT_PROVIDER_SECRET,
    paymentProviderSecretPrevious: settings.PAYMENT_PROVIDER_SECRET_PREVIOUS,
    paymentProviderLogin: loginOf(settings),
    // Without a separate key the secret is used, because the bundled provider has one value for both.
    paymentProviderKey: settings.PAYMENT_PROVIDER_KEY ?? settings.PAYMENT_PROVIDER_SECRET,
    paymentInvoiceHosts: settings.PAYMENT_INVOICE_HOSTS,
    chain: chainOf(settings),
    payouts: payoutsOf(settings),
    gasUsd: settings.CHAIN_GAS_USD,
    payoutSigner: signerOf(settings),
    sweep: readTokenSweep(settings),
    reserveAddresses: reserveAddressesOf(settings),
    proceedsAddresses: proceedsAddressesOf(settings),
    digestKeystore: digestKeystoreOf(settings),
    explorerUrl: settings.CHAIN_EXPLORER_URL?.replace(/\/+$/, ''),
    tokenSecret: settings.TOKEN_SECRET,
    tokenSecretPrevious: settings.TOKEN_SECRET_PREVIOUS,
    dataKey: settings.DATA_KEY,
    dataKeyPrevious: settings.DATA_KEY_PREVIOUS,
    /** Recipients of encrypted backups: public keys of the program `age`. */
    backupRecipients: settings.BACKUP_RECIPIENTS,
    accessTokenSeconds: settings.ACCESS_TOKEN_SECONDS,
    sessionIdleDays: settings.SESSION_IDLE_DAYS,
    staffIdleMinutes: settings.STAFF_IDLE_MINUTES,
    staffSessionHours: settings.STAFF_SESSION_HOURS,
    staffSecondFactor: !sandbox || settings.STAFF_SECOND_FACTOR === 'required',
    codeMinutes: settings.CODE_MINUTES,
    verifyLinkHours: settings.VERIFY_LINK_HOURS,
    resetLinkMinutes: settings.RESET_LINK_MINUTES,
    mailTexts: settings.MAIL_TEXTS,
    apiDocs: settings.API_DOCS === undefined ? !production : settings.API_DOCS === 'on',
    publicUrl: (settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ''),
    apiBaseUrl: settings.API_BASE_URL,
    invoiceBaseUrl: settings.INVOICE_BASE_URL,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    trustProxy: settings.TRUST_PROXY,
    weeklyReport: settings.WEEKLY_REPORT === 'on',
    weeklyReportTo: settings.WEEKLY_REPORT_TO,
    rateLimitScale: settings.RATE_LIMIT_SCALE,
    logLevel: settings.LOG_LEVEL,
    /** Name in signed texts. Everything else uses the name of `brand`. */
    brandName: settings.BRAND_NAME,
    /** Current brand. Starts as the default; the process replaces it when the brand changes. */
    brand: defaultBrand(settings.BRAND_NAME),
    accountsChart: settings.ACCOUNTS_CHART,
    tokenSymbol: settings.TOKEN_SYMBOL,
    allowedEmailDomains: settings.ALLOWED_EMAIL_DOMAINS,
    /** IP addresses and IPv6 /64 of the operator's offices, without the prefix length. */
    officeNetworks: settings.OFFICE_NETWORKS.map((one) => one.replace(/\/(32|64)$/, '')),
  }
}

const settingOf = (error: string): string => (error.split(/[:.,]/, 1)[0] ?? '').replace(/_FILE$/, '')

/** Returns the errors of settings that belong together. */
function errorsOf(parts: readonly (() => unknown)[]): readonly string[] {
  return parts.flatMap((readPart) => {
    try {
      readPart()
      return []
    } catch (error) {
      if (error instanceof ConfigErrors) return error.errors
      throw error
    }
  })
}

/** Returns an error if two listeners of the process have the same port. Port 0 means any free port. */
function portErrors(settings: Environment): string[] {
  const ports = { PORT: settings.PORT, METRICS_PORT: settings.METRICS_PORT, SANDBOX_PORT: settings.SANDBOX_PORT }
  const used = new Map<number, string>()
  return Object.entries(ports).flatMap(([name, port]) => {
    if (port === undefined || port === 0) return []
    const other = used.get(port)
    used.set(port, name)
    return other === undefined ? [] : [`${name}: another port than ${port}, which ${other} uses`]
  })
}

/** @throws ConfigErrors when only one of the two is set */
function loginOf({ PAYMENT_PROVIDER_EMAIL: email, PAYMENT_PROVIDER_PASSWORD: password }: Environment) {
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined)
    throw new ConfigErrors('Configuration', ['PAYMENT_PROVIDER_EMAIL, PAYMENT_PROVIDER_PASSWORD: both of them, or none'])
  return { email, password }
}
