import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Outside, selfSigned } from './outside.ts'
import { freePort } from './postgres.ts'

const deploy = fileURLToPath(new URL('../deploy/', import.meta.url))
export const PROXIES = ['nginx', 'caddy'] as const
export type Proxy = (typeof PROXIES)[number]

export const hasProgram = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

/** Files from deploy/, adapted to this machine only in names, ports and certificates. */
const FILES: Record<
  Proxy,
  (options: { port: number; target: number; key: string; certificate: string; folder: string; plain: number }) => string
> = {
  nginx: ({ port, target, key, certificate, folder, plain }) => {
    const site = readFileSync(path.join(deploy, 'nginx.conf'), 'utf8')
      .replaceAll('platform.example;', 'localhost;')
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace('127.0.0.1:3000', `127.0.0.1:${target}`)
      .replace(/\S+privkey\.pem/, key)
      .replace(/\S+fullchain\.pem/, certificate)
      .replaceAll('/var/log/nginx', folder)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
    return `pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp {\n${temporary.join('\n')}\n${site}\n}\n`
  },
  caddy: ({ port, target, key, certificate }) =>
    readFileSync(path.join(deploy, 'Caddyfile'), 'utf8')
      .replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off')
      .replace('platform.example {', `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${target}`),
}

const COMMANDS: Record<Proxy, (file: string, folder: string) => string[]> = {
  nginx: (file, folder) => ['nginx', '-p', folder, '-c', file, '-g', 'daemon off;'],
  caddy: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
}

/** Starts a proxy with its deploy/ example in front of a port, with a localhost certificate. Its logs are `*.log` in the folder. */
export async function openProxy(name: Proxy, target: number, folder: string): Promise<Outside> {
  // nginx runs as another user and needs access to its folders.
  chmodSync(folder, 0o755)
  const { key, certificate } = selfSigned(folder)
  const [port, plain] = [await freePort(), await freePort()]
  const file = path.join(folder, `${name}.conf`)
  writeFileSync(file, FILES[name]({ port, target, key, certificate, folder, plain }))
  const [command = name, ...args] = COMMANDS[name](file, folder)
  const log = openSync(path.join(folder, `${name}.output.log`), 'a')
  const child = spawn(command, args, {
    stdio: ['ignore', log, log],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  await listens(port, child, name)
  return {
    port,
    certificate,
    close: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function listens(port: number, child: ChildProcess, name: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) break
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    await pause(50)
  }
  throw new Error(`${name} did not start`)
}
