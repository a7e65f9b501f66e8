import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { TOTP } from 'otpauth'
import { afterAll, expect, it } from 'vitest'
import { call, openMailServer, openTlsProxy, type Outside } from './outside.ts'
import { missingPages, openCollector, printStatement, usePasskey } from './parts-of-release.ts'
import { freePort, startPostgres } from './postgres.ts'
import { entryFile } from '../apps/server/src/cli/command-line.mjs'

/** Follows docs/install.md: runs each block unchanged and performs browser steps over HTTP. */
const root = fileURLToPath(new URL('..', import.meta.url))
const PASSWORD = 'A long enough password 7'
const NOBODY = 65_534
const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Document step: commands, or a browser action. */
interface Step {
  kind: 'sh' | 'sh root' | 'browser'
  text: string
}

function readSteps(): Step[] {
  const document = readFileSync(path.join(root, 'docs/install.md'), 'utf8')
  const parts = /```(sh(?: root)?)\n([^]*?)```|^- In the browser: (.*(?:\n {2}.*)*)$/gm
  return [...document.matchAll(parts)].map(([, kind = 'browser', commands, act]) => ({
    kind: kind as Step['kind'],
    text: commands ?? act?.replaceAll('\n  ', ' ') ?? '',
  }))
}

function ownedFolder(name: string): string {
  const folder = path.join(home, name)
  mkdirSync(folder, { recursive: true })
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid)
  return folder
}

/** Runs all blocks in one shell, so that exports and the working directory persist. */
function runBlock(commands: string, env: NodeJS.ProcessEnv, input: string): Promise<{ code: number | null; output: string }> {
  const state = path.join(home, 'work', 'shell-state')
  const script = `set -e; [ ! -f ${state} ] || . ${state}; cd ${path.join(home, 'work')}\n${commands}\nexport -p > ${state}`
  const child = spawn('bash', ['-c', script], { ...as, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  // A block that reads no input may have exited.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })))
}

const home = mkdtempSync(path.join(tmpdir(), 'install-'))
chmodSync(home, 0o755)
ends.push(() => rmSync(home, { recursive: true, force: true }))

const packed = path.join(home, 'packed')
/**
 * Runs the commands of install.md that verify and unpack a release. An upgrade runs the same ones (CHANGELOG.md).
 * @returns true if something was unpacked beside the running version
 */
function unpacks(folder: string): boolean {
  const target = mkdtempSync(path.join(home, 'target-'))
  const commands = /^ssh-keygen [^]*?^tar .*$/m.exec(readFileSync(path.join(root, 'docs/install.md'), 'utf8'))
  const { status } = spawnSync('bash', ['-c', String(commands)], { cwd: folder, env: { ...process.env, TIZARA: target } })
  const unpacked = readdirSync(target).length > 0
  expect(unpacked).toBe(status === 0)
  return unpacked
}

/** Packs a release, signed by a key of this test. */
function pack(out: string): void {
  const key = path.join(home, 'key')
  if (!existsSync(key)) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key])
  execFileSync(process.execPath, ['tools/release/release.mjs', '--out', out, '--key', key], { cwd: root, stdio: 'ignore' })
  writeFileSync(path.join(out, 'signers'), `release namespaces="tizara" ${readFileSync(`${key}.pub`, 'utf8')}`)
}

/** Kills processes left by the document's shell, found by their folder. */
function endStarted(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(path.join(home, 'opt'))) process.kill(Number(pid), 'SIGTERM')
    } catch {
      // Already exited.
    }
  }
}

function startProvider(env: NodeJS.ProcessEnv): ChildProcess {
  const entry = entryFile('sandbox')
  const child = spawn(process.execPath, [entry], { env: { ...process.env, NODE_ENV: 'development', ...env }, stdio: 'ignore' })
  ends.push(() => child.kill('SIGTERM'))
  return child
}

it(
  'follows install.md from the archive to the first approved withdrawal, as any user, without other commands',
  { timeout: 400_000 },
  async () => {
    pack(packed)
    for (const file of readdirSync(packed)) cpSync(path.join(packed, file), path.join(ownedFolder('work'), file))
    const postgres = await startPostgres()
    ends.push(() => postgres.stop())
    const post = await openMailServer()
    const collector = await openCollector()
    const [port, publicPort, providerPort, metrics] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const outside: Outside = await openTlsProxy(publicPort, port, home)
    ends.push(post.close, outside.close, collector.close, endStarted)
    const env = {
      PATH: process.env['PATH'],
      HOME: ownedFolder('user'),
      NAME: `localhost:${publicPort}`,
      ADMIN: 'ada@gmail.com',
      SMTP_URL: `smtp://127.0.0.1:${post.port}`,
      PROVIDER: `http://127.0.0.1:${providerPort}`,
      PAY_HOSTS: `127.0.0.1:${providerPort}`,
      PROVIDER_KEY: 'key-of-the-test-provider',
      TIZARA: ownedFolder('opt'),
      CONF: ownedFolder('etc'),
      DATA_DIR: ownedFolder('data'),
      PSQL: `psql -h 127.0.0.1 -p ${postgres.port} -U postgres`,
      DB: `127.0.0.1:${postgres.port}`,
      PORT: String(port),
      METRICS_PORT: String(metrics),
      NODE_EXTRA_CA_CERTS: outside.certificate,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }
    const settings = () => readFileSync(path.join(home, 'etc', 'tizara.env'), 'utf8')
    const api = (method: string, where: string, body?: object, token?: string) => call(outside, method, `/api/v1${where}`, body, token)
    let secret = ''
    // Codes are valid once, so each call uses the next 30 seconds, within the allowed clock drift.
    let codes = -1
    const code = () => new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 * codes++ })
    const acts: Readonly<Record<string, () => Promise<void>>> = {
      'open the link of the mail that you received, and set a password.': async () => {
        const token = await post.tokenFor('ada@gmail.com')
        await api('POST', '/auth/reset-password', { newPassword: PASSWORD, confirmPassword: PASSWORD }, token)
      },
      'sign in at `/auth-admin`, open the profile, and set up an authenticator app.': async () => {
        const { token } = await api('POST', '/auth/user-login', { email: 'ada@gmail.com', password: PASSWORD })
        secret = (await api('POST', '/auth/totp/begin', { password: PASSWORD }, token)).secret
        await api('POST', '/auth/totp/confirm', { otp: code() }, token)
      },
      'a member signs up, confirms the mail address, deposits 100 USD, requests a withdrawal of 50 USD and confirms it with the password.':
        () => firstMember(),
    }
    async function firstMember(): Promise<void> {
      const who = { name: 'Grace Hopper', email: 'grace@gmail.com', phone: '+12025550143', password: PASSWORD }
      const { token: registered } = await api('POST', '/limit/auth/register', who)
      const { token } = await api('POST', '/limit/auth/verify-token', { token: await post.codeFor(who.email) }, registered)
      const { invoice_url: page } = await api('POST', '/pay/create-payment', { amount: 100 }, token)
      await fetch(page, { method: 'POST', body: new URLSearchParams({ outcome: 'exact' }), redirect: 'manual' })
      const body = { amount: 50, address: '0x52908400098527886E0F7030069857D2E4169EE7' }
      const ask = async () => {
        const { stepUp } = await api('POST', '/withdrawals/step-up', { kind: 'withdrawal', ...body, password: PASSWORD }, token)
        await api('POST', '/deposit-wallet/transfer-deposit-wallet', { ...body, stepUp }, token)
        return 'asked'
      }
      await expect.poll(() => ask().catch(String), { interval: 1_000 }).toBe('asked')
    }

    const done: string[] = []
    let output = ''
    for (const { kind, text } of readSteps().filter((step) => step.kind !== 'sh root')) {
      if (kind === 'browser') {
        const act = acts[text]
        if (act === undefined) throw new Error(`No handler for: ${text}`)
        await act()
        done.push(text)
        continue
      }
      const input = text.includes('sign-in')
        ? `${PASSWORD}\n${code()}\n`
        : text.includes('read -r')
          ? `${await waitingRow(api, code)}\n0x${'ab'.repeat(32)}\n`
          : ''
      const ended = await runBlock(text, env, input)
      output = ended.output
      expect([ended.code, output], text).toEqual([0, output])
      if (text.includes('tizara version')) execFileSync('chmod', ['-R', 'a-w', path.join(home, 'opt')])
      if (text.includes('tizara secrets >>')) {
        const value = /^PAYMENT_PROVIDER_SECRET=(.*)$/m.exec(settings())?.[1] ?? ''
        startProvider({
          SANDBOX_PORT: String(providerPort),
          PAYMENT_PROVIDER_SECRET: value,
          PAYMENT_PROVIDER_KEY: env.PROVIDER_KEY,
          DATA_DIR: path.join(home, 'provider'),
          NODE_EXTRA_CA_CERTS: outside.certificate,
        })
      }
    }
    expect(done.toSorted()).toEqual(Object.keys(acts).toSorted())
    // Last block: the audit passes, a backup exists, and the doctor reports no problem.
    expect(output).toMatch(/All \d+ checks hold/)
    expect(output).not.toMatch(/^BAD/m)
    expect(existsSync(path.join(home, 'data', 'first.dump'))).toBe(true)
    const { token } = await api('POST', '/auth/login', { email: 'grace@gmail.com', password: PASSWORD })
    const history = await api('GET', '/deposit-wallet/transfer-history', undefined, token)
    expect(history.data).toEqual([expect.objectContaining({ status: 'APPROVE', amount: 50 })])
    // The archive also contains lazily loaded parts.
    await printStatement(api, token)
    await usePasskey(api, `https://${env.NAME}`, { email: 'grace@gmail.com', password: PASSWORD })
    await expect.poll(() => collector.bodies.join('').includes('"select ')).toBe(true)
    expect(missingPages(path.join(home, 'opt', 'current'))).toEqual([])
    // Nothing was written outside the data folder, and the logs contain only JSON.
    const own = execFileSync('find', [path.join(home, 'opt'), '-newer', path.join(home, 'etc', 'tizara.env')], { encoding: 'utf8' })
    expect(own).toBe('')
    for (const log of ['api.log', 'worker.log'])
      for (const line of readFileSync(path.join(home, 'data', log), 'utf8')
        .trimEnd()
        .split('\n'))
        expect(JSON.parse(line)).toHaveProperty('msg')
  },
)

/** Parses a row from the list printed by the block. */
async function waitingRow(
  api: (method: string, where: string, body?: object, token?: string) => Promise<{ token: string; data: { id: string }[] }>,
  code: () => string,
): Promise<string> {
  const { token } = await api('POST', '/auth/user-login', { email: 'ada@gmail.com', password: PASSWORD, otp: code() })
  const { data } = await api('GET', '/staff/queues/withdrawals?status=PENDING', undefined, token)
  return data[0]?.id ?? ''
}

it('packs the same archive from the same source, and neither an installation nor an upgrade unpacks any other', () => {
  const again = path.join(home, 'again')
  for (const folder of [packed, again]) if (!existsSync(folder)) pack(folder)
  const [archive = '', sums = ''] = readdirSync(packed)
    .filter((file) => /\.tar\.gz(\.sha256)?$/.test(file))
    .toSorted()
  expect(readFileSync(path.join(again, sums), 'utf8')).toBe(readFileSync(path.join(packed, sums), 'utf8'))
  expect(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')).toContain('(`docs/install.md`, step 2, without the `ln` command)')
  expect(unpacks(again)).toBe(true)

  const bill = JSON.parse(execFileSync('tar', ['-xzOf', path.join(again, archive), '--wildcards', '*/sbom.cdx.json'], { encoding: 'utf8' }))
  const parts = (bill.components as { name: string }[]).map(({ name }) => name)
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
  expect(parts).toEqual(expect.arrayContaining(['node', 'fastify', 'pg', 'react', 'react-dom']))
  expect(parts.filter((name) => /vitest|playwright|pglite|^@tizara/.test(name))).toEqual([])

  const own = readFileSync(path.join(again, sums))
  appendFileSync(path.join(again, archive), 'x')
  expect(unpacks(again)).toBe(false)
  // An attacker who changes the archive and its digest cannot sign them.
  execFileSync('bash', ['-c', `sha256sum ${archive} > ${sums}`], { cwd: again })
  expect(unpacks(again)).toBe(false)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(home, 'foreign')])
  rmSync(path.join(again, `${sums}.sig`))
  execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', path.join(home, 'foreign'), '-n', 'tizara', path.join(again, sums)])
  expect(unpacks(again)).toBe(false)
  writeFileSync(path.join(again, sums), own)
  expect(unpacks(again)).toBe(false)
})
