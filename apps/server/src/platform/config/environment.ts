import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { present, setting, settingsOf } from './setting.ts'
import {
  blockNumber,
  domains,
  evmAddress,
  flag,
  hosts,
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
  whole,
} from './setting-types.ts'

export const DEVELOPMENT_SECRETS = {
  TOKEN_SECRET: 'development-token-secret-not-for-production',
  DATA_KEY: 'development-data-key-not-for-production',
  PAYMENT_PROVIDER_SECRET: 'development-payment-secret-not-for-production',
} as const

/** All settings. Only this object names them. */
const environment = v.object({
  NODE_ENV: setting(
    '`production` switches play money off and asks for every secret',
    one(['development', 'test', 'production'], 'development'),
  ),
  PORT: setting('where to listen', v.optional(port, '3000')),
  HOST: setting('the address to listen on', v.optional(text, '127.0.0.1')),
  METRICS_PORT: setting('where production shows figures for Prometheus, apart from members; nowhere when not set', v.optional(port)),
  METRICS_HOST: setting('the address of that port', v.optional(text, '127.0.0.1')),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'a collector of OpenTelemetry, for traces by OTLP over HTTP; none are made when not set',
    v.optional(url),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting('the share of calls that is traced, 0 to 1', v.optional(share, '1')),
  PUBLIC_URL: setting(
    'the address members open; mails and payment notices use it; https in production; `http://localhost:PORT` when not set',
    v.optional(url),
  ),
  DATA_DIR: setting("embedded database, mails of the sandbox, the sandbox provider's book", v.optional(text, './data')),
  DATABASE_URL: setting(
    'PostgreSQL 15 or newer, `postgres://USER:PASSWORD@HOST:PORT/NAME`, over a socket `postgres://USER@/NAME?host=/run/postgresql`; the embedded database when not set',
    v.optional(postgresUrl),
    { fromFile: true },
  ),
  DATABASE_READ_URL: setting(
    'leads to replicas of that PostgreSQL: calls of members that only read go there, and see what was written before',
    v.optional(postgresUrl),
    {
      fromFile: true,
    },
  ),
  DATABASE_POOL: setting('most connections of one process', v.optional(whole(1, 999), '20')),
  REWARD_WORKERS: setting(
    'connections that work at a reward day at once, over all workers; on the embedded database it is one',
    v.optional(whole(1, 8), '2'),
  ),
  SMTP_URL: setting(
    'mail server, `smtp://` or `smtps://`; when not set, mails go to `DATA_DIR/outbox/*.eml` and, in the sandbox, to `/sandbox/outbox`',
    v.optional(v.pipe(text, v.regex(/^smtps?:\/\/[^/\s]+/i, 'must be smtp:// or smtps:// with a host'), v.url('must be a URL'))),
    { fromFile: true },
  ),
  MAIL_FROM: setting(
    'the sender of mails',
    v.optional(v.pipe(text, v.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'must be a mail address')), 'no-reply@localhost'),
  ),
  PAYMENT_PROVIDER_URL: setting('hosted payment provider; the bundled sandbox when not set', v.optional(url)),
  PAYMENT_PROVIDER_SECRET: setting(
    'what the notices of the payment provider are signed with',
    v.optional(secret, DEVELOPMENT_SECRETS.PAYMENT_PROVIDER_SECRET),
    { least: 32 },
  ),
  PAYMENT_PROVIDER_SECRET_PREVIOUS: setting('another one, accepted during a rotation', v.optional(secret), { least: 32 }),
  PAYMENT_PROVIDER_KEY: setting(
    "the key that the provider's API is asked with; of its own in production, else the secret",
    v.optional(secret),
    { least: 16 },
  ),
  PAYMENT_PROVIDER_EMAIL: setting('who may ask the provider for lists, where it wants to know', v.optional(text)),
  PAYMENT_PROVIDER_PASSWORD: setting('the password of that account', v.optional(secret)),
  PAYMENT_INVOICE_HOSTS: setting(
    "hosts, with commas, that a payment page may be on; members are sent to no other; the provider's host when not set",
    v.optional(hosts),
  ),
  CHAIN_RPC_URL: setting(
    'JSON-RPC of a node of the chain that in-app invoices are paid on, or several with commas: one that is away is replaced by the next, and payouts go to all; without it production has none',
    v.optional(urls),
    { fromFile: true },
  ),
  CHAIN_WITNESS_URL: setting('JSON-RPC of a second source, which has to agree before anything is credited', v.optional(url), {
    fromFile: true,
  }),
  CHAIN_ID: setting('the chain, 56 for BNB Smart Chain', v.optional(whole(1, 999_999), '56')),
  CHAIN_TOKEN: setting("address of the coin's contract", v.optional(evmAddress)),
  CHAIN_TOKEN_DECIMALS: setting("the contract's decimals", v.optional(whole(8, 36), '18')),
  CHAIN_XPUB: setting('extended public key that the addresses of invoices come from; never one with a private key', v.optional(text), {
    fromFile: true,
  }),
  CHAIN_CONFIRMATIONS: setting(
    'blocks after which a block is final at the earliest; the block that the node calls final counts as well',
    v.optional(whole(12, 10_000), '12'),
  ),
  CHAIN_LARGE_CONFIRMATIONS: setting('the same for large payments', v.optional(whole(12, 10_000), '60')),
  CHAIN_LARGE_USD: setting('USD from which on a payment is large', v.optional(whole(1, 999_999_999), '10000')),
  CHAIN_LARGE_COIN: setting('coin from which on a payment is large', v.optional(whole(1, 999_999_999), '100000')),
  CHAIN_ADDRESS_GAP: setting(
    'after a restore: unused addresses in a row after which a lost hour is taken as looked through',
    v.optional(whole(20, 100_000), '200'),
  ),
  CHAIN_START_BLOCK: setting('the block to begin behind; the newest at the first look when not set', v.optional(blockNumber)),
  CHAIN_USD_TOKEN: setting('address of the contract that USD comes in and goes out by, such as USDT', v.optional(evmAddress)),
  CHAIN_USD_TOKEN_DECIMALS: setting("that contract's decimals", v.optional(whole(8, 36), '18')),
  CHAIN_GAS_USD: setting(
    "what a whole one of the chain's own coin is worth in USD; what the network takes is booked at it, and not before it is set",
    v.optional(price),
  ),
  CHAIN_EXPLORER_URL: setting('address of an explorer of the chain; members get links to their transactions there', v.optional(url)),
  PAYOUTS: setting('`automatic`: the worker sends approved payouts on the chain', one(['manual', 'automatic'], 'manual')),
  PAYOUT_KEYSTORE: setting('file with the key of the hot wallet (Web3 Secret Storage); for the worker alone', v.optional(text)),
  PAYOUT_KEYSTORE_PASSWORD: setting('opens that file', v.optional(secret), { least: 16 }),
  PAYOUT_SIGNER_URL: setting('JSON-RPC of a signer that has the key, instead of a file', v.optional(url), { fromFile: true }),
  PAYOUT_SIGNER_ADDRESS: setting('address of the hot wallet that it signs for', v.optional(evmAddress)),
  PAYOUT_GAS_GWEI: setting('most gwei for a unit of gas; dearer, payouts wait', v.optional(whole(1, 10_000), '20')),
  PAYOUT_IN_FLIGHT: setting('most payouts that are on the way at once; nodes keep 16 of one account', v.optional(whole(1, 1_000), '16')),
  PAYOUT_HOUR_USD: setting('most USD that is sent within an hour', v.optional(whole(1, 999_999), '20000')),
  PAYOUT_HOUR_COIN: setting('most coin that is sent within an hour', v.optional(whole(1, 999_999), '500000')),
  SWEEP_KEYSTORE: setting(
    'file with the extended private key of CHAIN_XPUB, by which the worker brings together what lies at the addresses of invoices; for the worker alone',
    v.optional(text),
  ),
  SWEEP_KEYSTORE_PASSWORD: setting('opens that file', v.optional(secret), { least: 16 }),
  SWEEP_TO: setting('address that it goes to, such as one whose key is kept offline; the hot wallet when not set', v.optional(evmAddress)),
  SWEEP_LEAST_USD: setting('least USD at an address that is worth the gas', v.optional(whole(1, 999_999), '20')),
  SWEEP_LEAST_COIN: setting('least coin at an address that is worth the gas', v.optional(whole(1, 999_999), '2000')),
  RESERVE_ADDRESSES: setting(
    'addresses in cold storage whose USD counts as reserves, with commas, each as `ADDRESS=SIGNATURE` (proof.md)',
    v.optional(signedAddresses),
  ),
  DIGEST_KEYSTORE: setting(
    'file with the key of an address that publishes the digest of each day on the chain; for the worker alone; never the hot wallet (proof.md)',
    v.optional(text),
  ),
  DIGEST_KEYSTORE_PASSWORD: setting('opens that file', v.optional(secret), { least: 16 }),
  SANDBOX_PORT: setting('port of the bundled provider; `PORT` + 1 when not set', v.optional(port)),
  TOKEN_SECRET: setting('signs access tokens', v.optional(secret, DEVELOPMENT_SECRETS.TOKEN_SECRET), { least: 32 }),
  TOKEN_SECRET_PREVIOUS: setting('another one, accepted during a rotation', v.optional(secret), { least: 32 }),
  DATA_KEY: setting(
    'seals what is stored: authenticator apps, waiting mails, payouts as asked for',
    v.optional(secret, DEVELOPMENT_SECRETS.DATA_KEY),
    {
      least: 32,
    },
  ),
  DATA_KEY_PREVIOUS: setting('another one, which opens during a rotation', v.optional(secret), { least: 32 }),
  ACCESS_TOKEN_SECONDS: setting('life of an access token', v.optional(whole(60, 3600), '900')),
  SESSION_REST_DAYS: setting(
    "days that a member's session may rest before it ends; after 30 days it ends in any case. Those of staff have settings of their own",
    v.optional(whole(1, 30), '7'),
  ),
  STAFF_REST_MINUTES: setting('minutes that a session of staff may rest before it ends', v.optional(whole(1, 60), '15')),
  STAFF_SESSION_HOURS: setting('hours that a session of staff lasts at most', v.optional(whole(1, 24), '8')),
  STAFF_SECOND_FACTOR: setting(
    '`required`: staff work only with an authenticator app or passkey. Without a value it is required outside the sandbox, and only there may it be `off`',
    v.optional(v.picklist(['required', 'off'])),
  ),
  API_BASE_URL: setting('where the web app finds its back end', v.optional(text, '/api/v1')),
  INVOICE_BASE_URL: setting('where the web app finds the invoices', v.optional(text, '/invoice-api')),
  ALLOWED_ORIGINS: setting(
    'other origins, with commas, that may call the API with credentials; https in production',
    v.optional(origins, ''),
  ),
  OFFICE_NETWORKS: setting(
    'IP addresses, with commas, and IPv6 networks (`2001:db8:0:1::/64`) of your offices: people who share one are not linked by it',
    v.optional(networks, ''),
  ),
  TRUST_PROXY: setting('proxies in front whose `X-Forwarded-For` counts', v.optional(whole(0, 9), '0')),
  RATE_LIMIT_SCALE: setting('multiplies every request limit', v.optional(positive, '1')),
  LOG_LEVEL: setting('JSON lines on standard output', one(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info')),
  BRAND_NAME: setting('name on every page and mail', v.optional(text, 'Tizara')),
  TOKEN_SYMBOL: setting('symbol of the coin', v.optional(text, 'TIZARA')),
  ALLOWED_EMAIL_DOMAINS: setting(
    'who may sign up, until staff set another list',
    v.optional(domains, 'gmail.com,yahoo.com,hotmail.com,hotmail.co.uk,hotmail.fr,outlook.com'),
  ),
  CODE_MINUTES: setting('life of a mailed code', v.optional(whole(2, 60), '10')),
  VERIFY_LINK_HOURS: setting('life of a link that confirms an address', v.optional(whole(1, 168), '24')),
  RESET_LINK_MINUTES: setting('life of a link to a new password', v.optional(whole(5, 1440), '30')),
  MAIL_TEXTS: setting(
    'JSON with other words for mails: `{"reset": {"subject": "…", "lines": ["…"]}}`; `{brand}`, `{minutes}` and `{hours}` are filled in',
    v.optional(mailTexts, '{}'),
  ),
  API_DOCS: setting('`/api/docs` and `/api/openapi.json`; on outside production', v.optional(flag)),
  SANDBOX: setting('play money, demo cast, outbox page; on outside production', v.optional(flag)),
  SANDBOX_CHAIN: setting('`off`: a sandbox without a chain of its own starts no play chain', v.optional(flag)),
  CLOCK_FILE: setting(
    "outside production: a file with an ISO moment or an offset such as `+1d` that moves the house's clock",
    v.optional(text),
  ),
  FAULT_POINT: setting('outside production: ends the process hard at a named point', v.optional(text)),
})

export type Environment = v.InferOutput<typeof environment>

/** All settings: name, default, meaning, and requirements of secrets. */
export const SETTINGS = settingsOf(environment.entries)

/**
 * Reads every setting. Blank values count as unset, and surrounding white space is dropped. A secret may come from a file:
 * `TOKEN_SECRET_FILE=/run/secrets/token` reads that file.
 * @returns the values with every fault, one sentence each. A setting with a fault has its default, so that the caller can check the rest
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): { read: Environment; faults: string[] } {
  const faults: string[] = []
  const entries = Object.entries<v.GenericSchema<string | undefined, unknown>>(environment.entries).map(([name, schema]) => {
    const { given, fault } = givenValue(env, name)
    if (fault !== undefined) faults.push(`${name}${fault}`)
    const parsed = v.safeParse(schema, given)
    if (parsed.success) return [name, parsed.output] as const
    faults.push(...parsed.issues.map((issue) => `${[name, v.getDotPath(issue)].filter(Boolean).join('.')}: ${issue.message}`))
    return [name, v.safeParse(schema, undefined).output] as const
  })
  return { read: Object.fromEntries(entries) as Environment, faults }
}

/** Returns the text of a setting, from the environment or from the file that it names. */
function givenValue(env: Readonly<Record<string, string | undefined>>, name: string): { given?: string; fault?: string } {
  const value = present(env[name])
  const file = SETTINGS.some((entry) => entry.name === name && entry.fromFile) ? present(env[`${name}_FILE`]) : undefined
  if (file === undefined) return value === undefined ? {} : { given: value }
  if (value !== undefined) return { given: value, fault: `: set directly or by ${name}_FILE, not both` }
  const contents = readFile(file)
  return contents === undefined ? { fault: '_FILE: a file that can be read and is not empty' } : { given: contents }
}

function readFile(file: string): string | undefined {
  try {
    return present(readFileSync(path.resolve(file), 'utf8'))
  } catch {
    return undefined
  }
}
