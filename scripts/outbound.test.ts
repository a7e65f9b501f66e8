import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../apps/server/src/', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.m?ts$/.test(file) && !/\.test\.ts$|\.d\.mts$/.test(file))
  .toSorted()
const codeOf = new Map(files.map((file) => [file, readFileSync(`${source}${file}`, 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')]))

/** Returns a call's arguments up to its closing bracket; for `fetch` only the address. */
function argumentsOf(text: string): string {
  let depth = 0
  for (const [index, letter] of Array.from(text).entries()) {
    if ('([{'.includes(letter)) depth += 1
    else if (')]}'.includes(letter)) depth -= 1
    const ends = depth < 0 || (depth === 0 && letter === ',' && /^,\s*\{/.test(text.slice(index)))
    if (ends) return text.slice(0, index).replaceAll(/\s+/g, ' ').trim()
  }
  return text
}

/** Built-in modules and packages that open connections, by import name. */
const OPENERS = /^(node:(http|https|http2|net|tls|dgram|dns|dns\/promises)|nodemailer|pg|@opentelemetry\/exporter-.*)$/
/** Exports of these modules that open no connection: they listen, parse an address, or are constants. */
const OPENS_NOTHING = new Set(['BlockList', 'isIPv4', 'createServer', 'isIP', 'isIPv6', 'Server', 'STATUS_CODES', 'types', 'Query'])

/** Packages that open no connections. Read the code of a new package before you add the package here. */
const OTHER_PACKAGES: readonly string[] = [
  '@electric-sql/pglite',
  '@electric-sql/pglite-socket',
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/static',
  '@noble/curves/secp256k1.js',
  '@noble/hashes/scrypt.js',
  '@noble/hashes/sha3.js',
  '@noble/hashes/utils.js',
  '@node-rs/argon2',
  '@opentelemetry/api',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@scure/bip32',
  '@simplewebauthn/server',
  '@valibot/to-json-schema',
  '@zxcvbn-ts/language-common',
  'age-encryption',
  'bcryptjs',
  'bidi-js',
  'csv-parse',
  'fastify',
  'kysely',
  'libphonenumber-js/max',
  'micro-eth-signer',
  'otpauth',
  'pino',
  'postal-mime',
  'prom-client',
  'sharp',
  'valibot',
]

const imports = [...codeOf].flatMap(([file, code]) =>
  [...code.matchAll(/^import (?!type )([\w\s{},*]+?) from '([^'.][^']*)'/gm)].map(([, what = '', from = '']) => ({ file, what, from })),
)

it('imports modules that open connections in the listed files only', () => {
  const opening = imports
    .filter(({ from }) => OPENERS.test(from))
    .flatMap(({ file, what, from }) =>
      what
        .replaceAll(/[{}\s]+/g, ' ')
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '' && !one.startsWith('type ') && !OPENS_NOTHING.has(one))
        .map((one) => `${file}: ${one} of ${from}`),
    )
  expect(opening).toEqual([
    'cli/backup/postgres-tool.ts: Client of pg',
    'diagnostics/external-services.ts: lookup of node:dns/promises',
    'diagnostics/external-services.ts: connect of node:tls',
    'gateways/mailer/folder-mailer.ts: createTransport of nodemailer',
    'gateways/mailer/smtp-mailer.ts: createTransport of nodemailer',
    'gateways/webhooks/open-receiver.ts: Agent as HttpAgent of node:http',
    'gateways/webhooks/open-receiver.ts: request as requestHttp of node:http',
    'gateways/webhooks/open-receiver.ts: Agent as HttpsAgent of node:https',
    'gateways/webhooks/open-receiver.ts: request as requestHttps of node:https',
    'gateways/webhooks/receiver-address.ts: lookup of node:dns',
    'platform/db/connection-probe.ts: Client of pg',
    'platform/db/database.ts: Pool of pg',
    'platform/embedded/embedded-backup.ts: connect of node:net',
    'platform/embedded/embedded.ts: connect of node:net',
    'platform/runtime/open-telemetry.ts: OTLPTraceExporter of @opentelemetry/exporter-trace-otlp-http',
  ])
  // Rejects `require` and imports of a computed name, because the test cannot see which module the code loads.
  const hidden = [...codeOf].filter(([, code]) => /\brequire\(|getBuiltinModule|import\((?!['"])/.test(code)).map(([file]) => file)
  expect(hidden).toEqual([])
})

it('loads only listed packages', () => {
  const packages = new Set(imports.map(({ from }) => from).filter((from) => !/^(node:|@tizara\/)/.test(from) && !OPENERS.test(from)))
  expect([...packages].toSorted()).toEqual(OTHER_PACKAGES)
})

/** Names of functions that open a connection, or give an address to such a function. */
const CONNECTS =
  /\b(?:new (?:Pool|Client|WebSocket|EventSource|OTLPTraceExporter)|fetch|createTransport|connect|createConnection|lookup|connectNode|connectWithCallErrors|transportTo|checkMailServer|createSmtpMailer|createPaymentProvider|chainNode|remoteSigner|openSigner|openReceiver|requestHttps?)\(/g

/** All calls that open a connection, grouped by the source of the address. */
const ORIGINS: Readonly<Record<string, readonly string[]>> = {
  'CHAIN_RPC_URL or CHAIN_SECOND_RPC_URL': [
    'diagnostics/payouts.ts: chainNode(rpcUrl, 4_000)',
    'gateways/chain/chain-health.ts: chainNode(url, 5_000)',
    'gateways/chain/chain-health.ts: chainNode(rpcUrl, 5_000)',
    'gateways/chain/chain.jobs.ts: chainNode(rpcUrl)',
    'gateways/chain/chain.jobs.ts: chainNode(secondRpcUrl)',
    'gateways/chain/rescan.ts: chainNode(rpcUrl)',
    'gateways/chain/unknown-tokens.ts: connectNode(rpcUrl)',
    'gateways/chain/sweeping/token-sweep.job.ts: chainNode(ports.rpcUrl)',
    'gateways/chain/sweeping/token-sweep.job.ts: chainNode(ports.secondRpcUrl)',
    'cli/payments.ts: chainNode(chain.rpcUrl)',
    'modules/reconciliation/every-source.ts: chainNode(url)',
    'modules/reconciliation/chain-reserves.ts: chainNode(chain.rpcUrl)',
    'main/ports.ts: chainNode(chain.rpcUrl)',
    'modules/withdrawals/sending/send-payouts.ts: chainNode(rpcUrl)',
    'modules/withdrawals/sending/send-payouts.ts: chainNode(secondRpcUrl)',
  ],
  'argument; the callers have rows of their own': [
    'gateways/chain/contract-signature.ts: connectWithCallErrors(url, TIMEOUT_MS)',
    'gateways/chain/chain-node.ts: connectNode(url, timeoutMs)',
    'gateways/chain/rpc.ts: connectWithCallErrors(urls, timeoutMs)',
    'gateways/chain/rpc.ts: fetch(url)',
    'gateways/chain/sending/signer.ts: connectNode(url)',
    'gateways/chain/sending/signer.ts: remoteSigner(at)',
    'gateways/mailer/smtp-mailer.ts: createTransport({ url, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS, dnsTimeout: TIMEOUT_MS, disableFileAccess: true, disableUrlAccess: true, })',
    'gateways/mailer/smtp-mailer.ts: transportTo(url)',
    "gateways/payment-provider/http-provider.ts: fetch(`${options.url.replace(/\\/+$/, '')}${path}`)",
  ],
  'connects to nothing': ["gateways/mailer/folder-mailer.ts: createTransport({ streamTransport: true, buffer: true, newline: 'unix' })"],
  SMTP_URL: [
    'diagnostics/external-services.ts: checkMailServer(config.smtpUrl)',
    'gateways/mailer/index.ts: createSmtpMailer(config, config.smtpUrl)',
  ],
  DATABASE_URL: [
    'cli/backup/postgres-tool.ts: new Client({ connectionString: databaseUrl })',
    'platform/db/database.ts: new Pool({ ...shared, connectionString: where.url, connectionTimeoutMillis: options.connectMs ?? CONNECT_MS })',
    'platform/db/connection-probe.ts: new Client({ ...at, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })',
  ],
  PAYMENT_PROVIDER_URL: ['diagnostics/machine.ts: fetch(url)', 'main/ports.ts: createPaymentProvider({ url: providerUrl …'],
  PUBLIC_URL: [
    "diagnostics/external-services.ts: connect({ host, port: Number(port === '' ? 443 : port), ...named }, () => { resolve(socket.getPeerCertificate().valid_to) socket.destroy() })",
    'diagnostics/external-services.ts: fetch(`${config.publicUrl}/api/v1/pay/notice`)',
    'diagnostics/external-services.ts: fetch(`${config.publicUrl}/health/ready`)',
    'diagnostics/external-services.ts: lookup(host)',
  ],
  PAYOUT_SIGNER_URL: ['main/ports.ts: openSigner(payoutSigner)'],
  'webhook_endpoint.url, approved by two admins and bound to the secret; public or in WEBHOOK_NETWORKS': [
    'gateways/webhooks/open-receiver.ts: requestHttp(url, options, onResponse)',
    'gateways/webhooks/open-receiver.ts: requestHttps(url, options, onResponse)',
    'gateways/webhooks/receiver-address.ts: lookup(host)',
    'modules/webhooks/send-webhooks.job.ts: openReceiver(deps.config, endpoint.url)',
  ],
  'none: a file': ['main/ports.ts: openSigner(digestKeystore)'],
  'HOST and PORT of this process': ['cli/ready.ts: fetch(url)'],
  'PUBLIC_URL, as the terminal of staff knows it': ['cli/staff/session.ts: fetch(`${platform.baseUrl}${request.path}`)'],
  DATA_DIR: [
    "platform/db/database.ts: new Pool({ ...shared, host: where.socketDir, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 60_000 })",
    'platform/embedded/embedded-backup.ts: connect(socketIn(dataDir), () => line.end(JSON.stringify(order)))',
    'platform/embedded/embedded.ts: connect(path.join(dataDir, SOCKET_NAME))',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    "platform/runtime/open-telemetry.ts: new OTLPTraceExporter({ url: `${url.replace(/\\/+$/, '')}/v1/traces` })",
  ],
  'the dev chain that this process started': ['sandbox/chain/dev-node.ts: connectNode(url)'],
  'sandbox only: sent by our own server with each order': ['sandbox/sandbox-provider.ts: fetch(invoice.noticeUrl)'],
}

it('takes every address from the configuration', () => {
  const calls = [...codeOf].flatMap(([file, code]) =>
    [...code.matchAll(CONNECTS)]
      .filter((match) => !/[.\w]$|function $/.test(code.slice(0, match.index)))
      .map((match) => `${file}: ${match[0]}${argumentsOf(code.slice(match.index + match[0].length))})`.replace(/(\{ url: \w+),.*/, '$1 …')),
  )
  expect([...new Set(calls)].toSorted()).toEqual(Object.values(ORIGINS).flat().toSorted())
})
