import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { toErrorReply } from '../apps/server/src/http/calls/error-reply.ts'
import { AppError } from '../apps/server/src/platform/runtime/app-error.ts'
import { freePort } from '../test/postgres.ts'
import { hasProgram, openProxy, PROXIES } from '../test/proxies.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const deploy = path.join(root, 'deploy')
const folder = mkdtempSync(path.join(tmpdir(), 'deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (name: string) => readFileSync(path.join(deploy, name), 'utf8')
/** Expects that a program accepts its configuration. */
const expectAccepted = (program: string, args: string[], env = process.env) => {
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}
const units = readdirSync(deploy).filter((name) => /\.(service|socket|timer)$/.test(name))
const commands = readFileSync(path.join(root, 'apps/server/src/cli/process/tizara.ts'), 'utf8')

/** User of each unit that runs a command. */
const USERS: Readonly<Record<string, string>> = {
  'tizara-api.service': 'tizara-api',
  'tizara-worker.service': 'tizara',
  'tizara-nightly.service': 'tizara',
}

it('units run only released commands, as users without privileges', () => {
  for (const name of units.filter((unit) => unit.endsWith('.service'))) {
    const text = read(name)
    for (const [, command] of text.matchAll(/bin\/tizara (\w+)/g)) expect(commands).toMatch(new RegExp(`^  ${command}: \\{`, 'm'))
    for (const line of [`User=${USERS[name]}`, 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'UMask=0077'])
      expect(text).toContain(`\n${line}\n`)
  }
  expect(units).toHaveLength(5)
})

it('only the worker reads the file with the settings of signing keys, and the API has its own user and data folder', () => {
  const reading = units.filter((name) => read(name).includes('worker.env'))
  expect(reading).toEqual(['tizara-worker.service'])
  const folders = ['tizara-api.service', 'tizara-worker.service'].map((name) => /^StateDirectory=(.*)$/m.exec(read(name))?.[1])
  expect(folders).toEqual(['tizara-api', 'tizara'])
  expect(read('tizara-api.service')).toContain('\nEnvironment=DATA_DIR=/var/lib/tizara-api\n')
  const services = read('compose.yaml').split(/^ {2}(?=\w+:$)/m)
  expect(services.filter((text) => text.includes('env_file: [tizara.env, worker.env]')).map((text) => /^\w+/.exec(text)?.[0])).toEqual([
    'worker',
  ])
})

if (process.getuid?.() === 0) {
  it('the file with the settings of signing keys opens for neither user of the product', () => {
    const at = mkdtempSync(path.join(tmpdir(), 'keys-'))
    chmodSync(at, 0o755)
    for (const name of ['tizara.env', 'worker.env']) writeFileSync(path.join(at, name), 'A=1\n', { mode: 0o644 })
    const [protect = ''] =
      /(?<=`)chown root:root \S+worker\.env && chmod \d+ \S+worker\.env(?=`)/.exec(
        readFileSync(path.join(root, 'docs/chain.md'), 'utf8'),
      ) ?? []
    execFileSync('sh', ['-c', protect.replaceAll('/etc/tizara', at)])
    const opens = (name: string) => spawnSync('cat', [path.join(at, name)], { uid: 65_534, gid: 65_534 }).status === 0
    expect([opens('tizara.env'), opens('worker.env')]).toEqual([true, false])
    rmSync(at, { recursive: true })
  })
}

it('the systemd stop timeout exceeds the shutdown time of the server', () => {
  for (const name of ['tizara-api.service', 'tizara-worker.service'])
    expect(Number(/TimeoutStopSec=(\d+)/.exec(read(name))?.[1])).toBeGreaterThan(10)
})

it('before a backup, incomplete files and all but the fifteen newest are deleted', () => {
  const line = /^ExecStartPre=\/bin\/sh -c '(.+)'$/m.exec(read('tizara-nightly.service'))?.[1]?.replaceAll('%%', '%')
  const backups = path.join(folder, 'backups')
  const room = () => spawnSync('sh', ['-c', String(line).replace('/var/lib/tizara/backups', backups)], { encoding: 'utf8' })
  mkdirSync(backups)
  expect(room()).toMatchObject({ status: 0, stderr: '' })
  const days = Array.from({ length: 18 }, (_, day) => `2026-01-${day + 10}T023000.dump`)
  for (const name of [...days, '2026-01-28T023000.dump.part']) writeFileSync(path.join(backups, name), '')
  expect(room()).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(backups).toSorted()).toEqual(days.slice(3))
})

// Each test validates files with the program that reads them, if this machine has the program.
if (hasProgram('systemd-analyze')) {
  it('systemd-analyze accepts the units', () => {
    const program = path.join(folder, 'tizara')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)
    for (const name of units) writeFileSync(path.join(folder, name), read(name).replaceAll('/opt/tizara/current/bin/tizara', program))
    for (const name of units) {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path.join(folder, name)], { encoding: 'utf8' })
      expect([name, status, stderr]).toEqual([name, 0, ''])
    }
  })
}
if (hasProgram('caddy')) {
  it('Caddy accepts its configuration', () => {
    expectAccepted('caddy', ['validate', '--adapter', 'caddyfile', '--config', path.join(deploy, 'Caddyfile')])
  })
}
if (hasProgram('nginx') && hasProgram('openssl')) {
  it('nginx accepts its configuration', () => {
    const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=platform.example', '-keyout', key, '-out', certificate],
      { stdio: 'ignore' },
    )
    const site = read('nginx.conf')
      .replace(/\S+privkey\.pem/, key)
      .replace(/\S+fullchain\.pem/, certificate)
    const file = path.join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\n${site}\n}\n`)
    expectAccepted('nginx', ['-t', '-p', folder, '-c', file])
  })
}

const logsIn = (at: string) =>
  readdirSync(at)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(path.join(at, name), 'utf8'))
    .join('\n')

// The next test runs the proxies, where they are installed.
it('the configuration of nginx and Caddy writes no query and no referrer to a log', () => {
  const nginx = read('nginx.conf')
  const logs = nginx.match(/^\s*(?:access_log|error_log) .*;$/gm) ?? []
  expect(new Set(logs.map((line) => line.trim().replace(/\S+\.log /, '')))).toEqual(new Set(['access_log tizara;', 'error_log crit;']))
  const variables = /^log_format tizara (.*);$/m.exec(nginx)?.[1]?.match(/\$\w+/g) ?? []
  // `$uri` has no query; `$request`, `$request_uri`, `$args` and `$http_referer` would have one.
  expect(variables).toEqual([
    '$remote_addr',
    '$time_local',
    '$request_method',
    '$uri',
    '$server_protocol',
    '$status',
    '$body_bytes_sent',
    '$request_time',
  ])
  expect(read('Caddyfile')).toMatch(
    /^\{[^]*log \{\s+format filter \{[^]*request>uri regexp \\\?\.\*\$ ""\s+request>headers>Referer delete/m,
  )
})

it.each(PROXIES.filter(hasProgram))('%s logs no token from an address or a referrer, also when the server fails', async (name) => {
  const at = mkdtempSync(path.join(tmpdir(), 'proxy-'))
  const server = createServer((call, reply) => (call.url?.startsWith('/broken') ? call.socket.destroy() : reply.end('ok')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy = await openProxy(name, (server.address() as AddressInfo).port, at)
  const call = async (address: string) => {
    const sent = request({
      port: proxy.port,
      host: 'localhost',
      path: `${address}?token=SECRET`,
      headers: { referer: 'https://localhost/reset?token=SECRET' },
      rejectUnauthorized: false,
    })
    const [reply] = await once(sent.end(), 'response')
    reply.resume()
    return reply.statusCode as number
  }
  try {
    expect(await call('/fine')).toBe(200)
    expect(await call('/broken')).toBe(502)
    await expect.poll(() => logsIn(at)).toMatch(/\/fine[^]*\/broken/)
  } finally {
    await proxy.close()
    server.close()
  }
  expect(logsIn(at)).not.toContain('SECRET')
  rmSync(at, { recursive: true })
})

it('cluster: HAProxy has no setting that writes a call to a log', () => {
  const logging = /^ *(?:log|log-format|error-log-format|option (?:httplog|tcplog|http-no-delay-log|log-\S+)|capture|unique-id-\S+)\b.*$/gm
  expect(read('cluster/haproxy.cfg').match(logging)).toBeNull()
})
if (hasProgram('haproxy')) {
  it('cluster: HAProxy logs no token from an address or a referrer, also when no API runs', async () => {
    const server = createServer((_, reply) => void reply.end('ok')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const [port, api] = [await freePort(), (server.address() as AddressInfo).port]
    const settings = read('cluster/haproxy.cfg')
      .replace(/^ {4}(?:user|group) .*\n/gm, '')
      .replace(/^listen (?:write|read)\n(?: {4}.*\n)*/gm, '')
      .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    writeFileSync(path.join(folder, 'haproxy.cfg'), settings)
    const env = { ...process.env, API1: `127.0.0.1:${api}`, API2: `127.0.0.1:${await freePort()}` }
    const proxy = spawn('haproxy', ['-f', path.join(folder, 'haproxy.cfg')], { env })
    let output = ''
    for (const stream of [proxy.stdout, proxy.stderr]) stream.on('data', (text) => (output += String(text)))
    const call = () =>
      fetch(`http://127.0.0.1:${port}/reset?token=SECRET`, { headers: { referer: 'https://x/?token=SECRET' } }).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(call).toBe(200)
    server.close()
    server.closeAllConnections()
    await expect.poll(call).toBe(503)
    proxy.kill('SIGTERM')
    await once(proxy, 'exit')
    expect(output).not.toContain('SECRET')
  })
}

/** Variables in /etc/default/haproxy with the addresses of the cluster's machines. */
const VARIABLES = ['PG1', 'PG2', 'PG3', 'API1', 'API2']

it('cluster: patronictl, which reads no unit environment, lists every etcd member', () => {
  const members = [...read('cluster/etcd.env').matchAll(/pg\d=http:\/\/([\d.]+):2380/g)].map(([, address]) => `${address}:2379`)
  expect(members).toHaveLength(3)
  expect(/^etcd:\n  hosts: \[(.+)\]$/m.exec(read('cluster/patroni.yml'))?.[1]?.split(', ')).toEqual(members)
  expect(read('cluster/machine.env')).not.toMatch(/^PATRONI_ETCD/m)
})

it('cluster: public services do not run as root, no socket is world-writable, and the page names every setting', () => {
  const proxy = read('cluster/haproxy.cfg')
  expect(proxy).toMatch(/^global\n {4}user haproxy\n {4}group haproxy\n/m)
  expect(new Set(proxy.match(/(?<=\$\{)\w+/g))).toEqual(new Set(VARIABLES))
  expect(read('cluster/pgbouncer.ini')).toMatch(/^unix_socket_dir =$/m)
  const page = readFileSync(path.join(root, 'docs/cluster.md'), 'utf8')
  for (const name of ['PG1', 'PG3', 'API1', 'API2']) expect(page).toContain(`\`${name}=`)
})
it('cluster: the proxy answers in the API’s error form when no API runs', () => {
  const [, body = ''] = /^ +http-error status 503 .* hdr Retry-After 2 .* string '(.+)'$/m.exec(read('cluster/haproxy.cfg')) ?? []
  expect(JSON.parse(body)).toEqual(toErrorReply(new AppError('BUSY')).body)
})
if (hasProgram('haproxy')) {
  it('HAProxy accepts its configuration', () => {
    const env = {
      ...process.env,
      ...Object.fromEntries(VARIABLES.map((name) => [name, name.startsWith('API') ? '10.0.0.11:3001' : '10.0.0.1'])),
    }
    expectAccepted('haproxy', ['-c', '-f', path.join(deploy, 'cluster/haproxy.cfg')], env)
  })
}
if (hasProgram('docker-compose')) {
  it('Compose accepts its file', () => {
    for (const name of ['tizara.env', 'worker.env', 'owner.url', 'app.url']) writeFileSync(path.join(folder, name), '')
    writeFileSync(path.join(folder, 'compose.yaml'), read('compose.yaml'))
    const env = { ...process.env, VERSION: '0.1.0' }
    expectAccepted('docker-compose', ['--file', path.join(folder, 'compose.yaml'), 'config', '--quiet'], env)
  })
}

it('operator documents name only files that exist', () => {
  for (const document of [
    'install.md',
    'operations.md',
    'backups.md',
    'chain.md',
    'cluster.md',
    'runbook.md',
    'provider.md',
    '../CHANGELOG.md',
  ]) {
    const text = readFileSync(path.join(root, 'docs', document), 'utf8')
    for (const [, name = ''] of text.matchAll(/`((?:\.\.\/)?(?:[\w-]+\/)*[\w.-]+\.(?:md|json|sql|conf|ts))`/g)) {
      const files = [name, `docs/${name}`, name.replace('../', ''), `apps/server/src/${name}`]
      // Skips files written by the operator, by PostgreSQL or by the release.
      if (['platform.json', 'postgresql.conf', 'sbom.cdx.json'].includes(name)) continue
      expect(
        files.some((file) => existsSync(path.join(root, file))),
        `${document}: ${name}`,
      ).toBe(true)
    }
  }
})
