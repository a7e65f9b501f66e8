import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { present, setting, settingsOf } from './setting.ts'
import {
  ageRecipients,
  blockNumber,
  cidrNetworks,
  domains,
  evmAddress,
  flag,
  hosts,
  mailAddresses,
  mailTexts,
  networks,
  one,
  origins,
  port,
  positive,
  postgresUrl,
  price,
  secret,
  share,
  signedAddresses,
  text,
  url,
  urls,
  wholeNumber,
} from './setting-types.ts'

export const DEVELOPMENT_SECRETS = {
  TOKEN_SECRET: 'development-token-secret-not-for-production',
  DATA_KEY: 'development-data-key-not-for-production',
  PAYMENT_PROVIDER_SECRET: 'development-payment-secret-not-for-production',
} as const

/** All settings of the environment. No other code names a setting. */
const environment = v.object({
  NODE_ENV: setting(
    '`production` switches off play money and requires every secret',
    one(['development', 'test', 'production'], 'development'),
  ),
  PORT: setting('port of the API', v.optional(port, '3000')),
  HOST: setting('address of the network interface that the API listens on', v.optional(text, '127.0.0.1')),
  METRICS_PORT: setting('port for Prometheus metrics in production, separate from the API; no metrics if not set', v.optional(port)),
  METRICS_HOST: setting('address of the network interface for `METRICS_PORT`', v.optional(text, '127.0.0.1')),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting('OpenTelemetry collector for traces (OTLP over HTTP); no traces if not set', v.optional(url)),
  OTEL_TRACES_SAMPLER_ARG: setting('share of calls that are traced, 0 to 1', v.optional(share, '1')),
  PUBLIC_URL: setting(
    'address that members open, used in mails and webhook URLs; https in production; `http://localhost:PORT` if not set',
    v.optional(url),
  ),
  DATA_DIR: setting(
    'folder for the embedded database, the mails of the sandbox and the data of the sandbox provider',
    v.optional(text, './data'),
  ),
  DATABASE_URL: setting(
    'PostgreSQL 15 or newer: `postgres://USER:PASSWORD@HOST:PORT/NAME`, over a socket `postgres://USER@/NAME?host=/run/postgresql`; the embedded database if not set',
    v.optional(postgresUrl),
    { fromFile: true },
  ),
  DATABASE_READ_URL: setting(
    'replicas of that PostgreSQL. Read-only calls use a replica that has all earlier writes',
    v.optional(postgresUrl),
    {
      fromFile: true,
    },
  ),
  DATABASE_POOL: setting('maximum database connections of a process', v.optional(wholeNumber(1, 999), '20')),
  REWARD_WORKERS: setting(
    'database connections that process a reward run in parallel, over all worker processes; always 1 on the embedded database',
    v.optional(wholeNumber(1, 8), '2'),
  ),
  SMTP_URL: setting(
    'mail server, `smtp://` or `smtps://`; if not set, mails go to `DATA_DIR/outbox/*.eml` and, in the sandbox, to `/sandbox/outbox`',
    v.optional(v.pipe(text, v.regex(/^smtps?:\/\/[^/\s]+/i, 'must be smtp:// or smtps:// with a host'), v.url('must be a URL'))),
    { fromFile: true },
  ),
  MAIL_FROM: setting(
    'sender address of mails',
    v.optional(v.pipe(text, v.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be a mail address')), 'no-reply@localhost'),
  ),
  PAYMENT_PROVIDER_URL: setting('hosted payment provider; the bundled sandbox if not set', v.optional(url)),
  PAYMENT_PROVIDER_SECRET: setting(
    'secret that signs the webhooks of the payment provider',
    v.optional(secret, DEVELOPMENT_SECRETS.PAYMENT_PROVIDER_SECRET),
    { minLength: 32 },
  ),
  PAYMENT_PROVIDER_SECRET_PREVIOUS: setting('second accepted secret during a rotation', v.optional(secret), { minLength: 32 }),
  PAYMENT_PROVIDER_KEY: setting(
    'API key for calls to the provider. Production needs a key that differs from the secret; elsewhere the secret is the default',
    v.optional(secret),
    { minLength: 16 },
  ),
  PAYMENT_PROVIDER_EMAIL: setting('account that reads the payment lists, if the provider requires one', v.optional(text)),
  PAYMENT_PROVIDER_PASSWORD: setting('password of that account', v.optional(secret)),
  PAYMENT_INVOICE_HOSTS: setting(
    "comma-separated hosts of payment pages. Members are sent to no other host; the provider's host if not set",
    v.optional(hosts),
  ),
  CHAIN_RPC_URL: setting(
    'JSON-RPC of a node of the chain for in-app invoices, or several nodes separated by commas: if one is down, the next one answers, and payouts go to all. Production has no in-app invoices without it',
    v.optional(urls),
    { fromFile: true },
  ),
  CHAIN_SECOND_RPC_URL: setting('JSON-RPC of a second source, which must confirm each transfer before its credit', v.optional(url), {
    fromFile: true,
  }),
  CHAIN_ID: setting('id of the chain, 56 for BNB Smart Chain', v.optional(wholeNumber(1, 999_999), '56')),
  CHAIN_TOKEN: setting('contract address of the coin', v.optional(evmAddress)),
  CHAIN_TOKEN_DECIMALS: setting('decimals of that contract', v.optional(wholeNumber(8, 36), '18')),
  CHAIN_XPUB: setting('extended public key from which invoice addresses are derived; never a private key', v.optional(text), {
    fromFile: true,
  }),
  CHAIN_CONFIRMATIONS: setting(
    "minimum confirmations of a final block, in addition to the node's own finality",
    v.optional(wholeNumber(12, 10_000), '12'),
  ),
  CHAIN_LARGE_CONFIRMATIONS: setting('minimum confirmations of large payments', v.optional(wholeNumber(12, 10_000), '60')),
  CHAIN_LARGE_USD: setting('smallest large payment, in USD', v.optional(wholeNumber(1, 999_999_999), '10000')),
  CHAIN_LARGE_COIN: setting('smallest large payment, in coin', v.optional(wholeNumber(1, 999_999_999), '100000')),
  CHAIN_ADDRESS_GAP: setting(
    'after a restore, the search for the invoice addresses of one hour ends after this many unused addresses in a row',
    v.optional(wholeNumber(20, 100_000), '200'),
  ),
  CHAIN_START_BLOCK: setting('block after which the first scan starts; the newest block if not set', v.optional(blockNumber)),
  CHAIN_USD_TOKEN: setting('contract address of the dollar token for payments and payouts, such as USDT', v.optional(evmAddress)),
  CHAIN_USD_TOKEN_DECIMALS: setting('decimals of that contract', v.optional(wholeNumber(8, 36), '18')),
  CHAIN_GAS_USD: setting(
    "USD value of one unit of the chain's native coin, at which gas costs are booked; without it they are not booked",
    v.optional(price),
  ),
  CHAIN_EXPLORER_URL: setting("address of a block explorer, for links to members' transactions", v.optional(url)),
  PAYOUTS: setting(
    '`automatic`: the worker sends approved payouts on the chain; `manual`: staff pay them',
    one(['manual', 'automatic'], 'manual'),
  ),
  PAYOUT_KEYSTORE: setting('key file of the hot wallet (Web3 Secret Storage). Give it to the worker only', v.optional(text)),
  PAYOUT_KEYSTORE_PASSWORD: setting('password of that file', v.optional(secret), { minLength: 16 }),
  PAYOUT_SIGNER_URL: setting('JSON-RPC of an external signer, instead of a key file', v.optional(url), { fromFile: true }),
  PAYOUT_SIGNER_ADDRESS: setting("address of the signer's hot wallet", v.optional(evmAddress)),
  PAYOUT_GAS_GWEI: setting('maximum gas price in gwei; payouts wait while the price is higher', v.optional(wholeNumber(1, 10_000), '20')),
  PAYOUT_IN_FLIGHT: setting(
    'maximum payouts sent and not yet final; nodes keep 16 pending transactions of one account',
    v.optional(wholeNumber(1, 1_000), '16'),
  ),
  PAYOUT_HOUR_USD: setting('maximum USD sent within an hour', v.optional(wholeNumber(1, 999_999), '20000')),
  PAYOUT_HOUR_COIN: setting('maximum coin sent within an hour', v.optional(wholeNumber(1, 999_999), '500000')),
  PAYOUT_CEILING_USD: setting(
    'maximum USD in the hot wallet, above which staff move the surplus to one of `RESERVE_ADDRESSES`; none if not set',
    v.optional(wholeNumber(1, 999_999_999)),
  ),
  PAYOUT_CEILING_COIN: setting('maximum coin in the hot wallet; none if not set', v.optional(wholeNumber(1, 999_999_999))),
  SWEEP_KEYSTORE: setting(
    'key file with the extended private key of `CHAIN_XPUB`, for the token sweep. Give it to the worker only',
    v.optional(text),
  ),
  SWEEP_KEYSTORE_PASSWORD: setting('password of that file', v.optional(secret), { minLength: 16 }),
  SWEEP_TO: setting('target address of the token sweep, for example an offline wallet; the hot wallet if not set', v.optional(evmAddress)),
  SWEEP_MIN_USD: setting('minimum USD at an address for a token sweep', v.optional(wholeNumber(1, 999_999), '20')),
  SWEEP_MIN_COIN: setting('minimum coin at an address for a token sweep', v.optional(wholeNumber(1, 999_999), '2000')),
  RESERVE_ADDRESSES: setting(
    'comma-separated cold-storage addresses, whose USD counts as reserves and which may receive the surplus of the hot wallet, each as `ADDRESS=SIGNATURE` (proof.md)',
    v.optional(signedAddresses),
  ),
  PROCEEDS_ADDRESSES: setting(
    'comma-separated addresses of the operator that may receive proceeds of the sales fund, each as `ADDRESS=SIGNATURE` (chain.md)',
    v.optional(signedAddresses),
  ),
  DIGEST_KEYSTORE: setting(
    'key file of the address that publishes the digest of each day on the chain; never the hot wallet (proof.md). Give it to the worker only',
    v.optional(text),
  ),
  DIGEST_KEYSTORE_PASSWORD: setting('password of that file', v.optional(secret), { minLength: 16 }),
  SANDBOX_PORT: setting('port of the bundled provider; `PORT` + 1 if not set', v.optional(port)),
  TOKEN_SECRET: setting('secret that signs access tokens', v.optional(secret, DEVELOPMENT_SECRETS.TOKEN_SECRET), { minLength: 32 }),
  TOKEN_SECRET_PREVIOUS: setting('second accepted secret during a rotation', v.optional(secret), { minLength: 32 }),
  DATA_KEY: setting(
    'key that encrypts authenticator secrets and waiting mails, and computes the MACs of payouts and approvals',
    v.optional(secret, DEVELOPMENT_SECRETS.DATA_KEY),
    {
      minLength: 32,
    },
  ),
  DATA_KEY_PREVIOUS: setting('second key for decryption during a rotation', v.optional(secret), { minLength: 32 }),
  BACKUP_RECIPIENTS: setting(
    'comma-separated public keys of age (`age1…`), for which `tizara backup` encrypts its files; not encrypted if not set',
    v.optional(ageRecipients, ''),
  ),
  ACCESS_TOKEN_SECONDS: setting('lifetime of an access token in seconds', v.optional(wholeNumber(60, 3600), '900')),
  SESSION_IDLE_DAYS: setting(
    "days of inactivity after which a member's session ends. It ends after 30 days in any case",
    v.optional(wholeNumber(1, 30), '7'),
  ),
  STAFF_IDLE_MINUTES: setting('minutes of inactivity after which a staff session ends', v.optional(wholeNumber(1, 60), '15')),
  STAFF_SESSION_HOURS: setting('maximum lifetime of a staff session in hours', v.optional(wholeNumber(1, 24), '8')),
  STAFF_SECOND_FACTOR: setting(
    '`required`: staff need an authenticator app or a passkey, which is the default outside the sandbox; `off` is possible in the sandbox only',
    v.optional(v.picklist(['required', 'off'])),
  ),
  API_BASE_URL: setting('address of the API for the web app', v.optional(text, '/api/v1')),
  INVOICE_BASE_URL: setting('address of the invoices for the web app', v.optional(text, '/invoice-api')),
  ALLOWED_ORIGINS: setting(
    'comma-separated other origins that may call the API with credentials; https in production',
    v.optional(origins, ''),
  ),
  WEEKLY_REPORT: setting(
    '`on`: admins get the business figures of each week by mail on Monday; `off`: nobody does',
    one(['on', 'off'], 'on'),
  ),
  WEEKLY_REPORT_TO: setting(
    'comma-separated mail addresses that get the weekly report in addition to the admins',
    v.optional(mailAddresses, ''),
  ),
  OFFICE_NETWORKS: setting(
    'comma-separated IP addresses and IPv6 networks (`2001:db8:0:1::/64`) of your offices: people who share one are not linked by it',
    v.optional(networks, ''),
  ),
  WEBHOOK_NETWORKS: setting(
    'comma-separated private networks (`10.1.0.0/16`) that webhooks may be sent to; by default only public addresses',
    v.optional(cidrNetworks, ''),
  ),
  TRUST_PROXY: setting('number of reverse proxies in front, whose `X-Forwarded-For` is trusted', v.optional(wholeNumber(0, 9), '0')),
  RATE_LIMIT_SCALE: setting('factor for every rate limit', v.optional(positive, '1')),
  LOG_LEVEL: setting(
    'lowest level that is logged, as JSON lines on standard output',
    one(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  ),
  BRAND_NAME: setting(
    'name on every page and mail until staff decide a brand; name in texts that reserve addresses sign',
    v.optional(text, 'Tizara'),
  ),
  TOKEN_SYMBOL: setting('symbol of the coin', v.optional(text, 'TIZARA')),
  ACCOUNTS_CHART: setting(
    'JSON file with the chart of accounts of the accounting export, for the commands and the worker; the built-in chart if not set',
    v.optional(text),
  ),
  ALLOWED_EMAIL_DOMAINS: setting(
    'mail domains that may register, until staff set another list',
    v.optional(domains, 'gmail.com,yahoo.com,hotmail.com,hotmail.co.uk,hotmail.fr,outlook.com'),
  ),
  CODE_MINUTES: setting('lifetime of a mailed code in minutes', v.optional(wholeNumber(2, 60), '10')),
  VERIFY_LINK_HOURS: setting('lifetime of a mail link that verifies an address, in hours', v.optional(wholeNumber(1, 168), '24')),
  RESET_LINK_MINUTES: setting('lifetime of a mail link that resets a password, in minutes', v.optional(wholeNumber(5, 1440), '30')),
  MAIL_TEXTS: setting(
    'JSON with other texts for mails: `{"reset": {"subject": "…", "lines": ["…"]}}`; `{brand}`, `{minutes}` and `{hours}` are replaced',
    v.optional(mailTexts, '{}'),
  ),
  API_DOCS: setting('serves `/api/docs` and `/api/openapi.json`; on by default outside production', v.optional(flag)),
  SANDBOX: setting('play money, demo members and the outbox page; on by default outside production', v.optional(flag)),
  SANDBOX_CHAIN: setting('`off`: the sandbox starts no development chain', v.optional(flag)),
  FAULT_POINT: setting('outside production: kills the process at a named point', v.optional(text)),
})

export type Environment = v.InferOutput<typeof environment>

/** All settings: name, default, meaning, and requirements of secrets. */
export const SETTINGS = settingsOf(environment.entries)

/** Settings of signing keys. Only the worker may have them (docs/chain.md). */
export const KEY_SETTINGS = [
  'PAYOUT_KEYSTORE',
  'PAYOUT_KEYSTORE_PASSWORD',
  'PAYOUT_SIGNER_URL',
  'PAYOUT_SIGNER_ADDRESS',
  'SWEEP_KEYSTORE',
  'SWEEP_KEYSTORE_PASSWORD',
  'DIGEST_KEYSTORE',
  'DIGEST_KEYSTORE_PASSWORD',
] as const satisfies readonly (keyof Environment)[]

/** Lists the settings of signing keys that an environment has, also as `_FILE`. */
export const keySettingsIn = (env: NodeJS.ProcessEnv): string[] =>
  KEY_SETTINGS.filter((name) => present(env[name]) !== undefined || present(env[`${name}_FILE`]) !== undefined)

/**
 * Reads all settings. A blank value counts as unset, and surrounding white space is removed. A secret can be in a file:
 * `TOKEN_SECRET_FILE=/run/secrets/token` reads this file.
 * @returns the values, and one sentence per error. A setting with an error has its default, so that the caller can check the other settings
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): { settings: Environment; errors: string[] } {
  const errors: string[] = []
  const entries = Object.entries<v.GenericSchema<string | undefined, unknown>>(environment.entries).map(([name, schema]) => {
    const { given, error } = configuredValue(env, name)
    if (error !== undefined) errors.push(`${name}${error}`)
    const parsed = v.safeParse(schema, given)
    if (parsed.success) return [name, parsed.output] as const
    errors.push(...parsed.issues.map((issue) => `${[name, v.getDotPath(issue)].filter(Boolean).join('.')}: ${issue.message}`))
    return [name, v.safeParse(schema, undefined).output] as const
  })
  return { settings: Object.fromEntries(entries) as Environment, errors }
}

/** Returns the text of a setting, from the environment or from the file that it names. */
function configuredValue(env: Readonly<Record<string, string | undefined>>, name: string): { given?: string; error?: string } {
  const value = present(env[name])
  const file = SETTINGS.some((entry) => entry.name === name && entry.fromFile) ? present(env[`${name}_FILE`]) : undefined
  if (file === undefined) return value === undefined ? {} : { given: value }
  if (value !== undefined) return { given: value, error: `: set directly or by ${name}_FILE, not both` }
  const contents = readFile(file)
  return contents === undefined ? { error: '_FILE: a file that can be read and is not empty' } : { given: contents }
}

function readFile(file: string): string | undefined {
  try {
    return present(readFileSync(path.resolve(file), 'utf8'))
  } catch {
    return undefined
  }
}
