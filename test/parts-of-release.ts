import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { SoftAuthenticator } from '../apps/server/test/soft-authenticator.ts'

/** Calls the API; returns the envelope's data, or a file's text. */
type Api = (method: string, where: string, body?: object, token?: string) => Promise<ReturnType<typeof JSON.parse>>

/** Trace collector that counts received span bodies. */
export async function openCollector() {
  const bodies: string[] = []
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (text) => (body += String(text)))
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body)
      reply.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, close: () => server.close() }
}

/** Prints a member's statement, to prove that the archive contains fonts and the PDF writer. */
export async function printStatement(api: Api, token: string): Promise<void> {
  const { jobId } = await api('POST', '/statements', { month: new Date().toISOString().slice(0, 7), format: 'pdf' }, token)
  const state = async () => (await api('GET', `/jobs/${jobId}`, undefined, token)).state
  await expect.poll(state, { timeout: 60_000, interval: 1_000 }).toBe('DONE')
  expect(await api('GET', `/jobs/${jobId}/file`, undefined, token)).toMatch(/^%PDF-[^]*FontFile[^]*%%EOF\s*$/)
}

/** Sets up an authenticator app and a passkey for a member, then signs in with it at the public URL. */
export async function usePasskey(api: Api, publicUrl: string, who: { email: string; password: string }): Promise<void> {
  const { origin, hostname: rpId } = new URL(publicUrl)
  const { token } = await api('POST', '/auth/login', who)
  const { secret } = await api('POST', '/auth/totp/begin', { password: who.password }, token)
  const app = new TOTP({ secret })
  await api('POST', '/auth/totp/confirm', { otp: app.generate({ timestamp: Date.now() - 30_000 }) }, token)
  const key = new SoftAuthenticator()
  const registration = await api('POST', '/auth/passkeys/begin', { otp: app.generate() }, token)
  const credential = key.make({ origin, rpId, challenge: registration.options.challenge })
  await api('POST', '/auth/passkeys', { challengeId: registration.challengeId, name: 'Laptop', credential }, token)
  const reply = await api('POST', '/auth/passkey/begin', who)
  const answer = key.get({ origin, rpId, challenge: reply.options.challenge, counter: 1 })
  const entered = await api('POST', '/auth/passkey/login', { ...who, challengeId: reply.challengeId, credential: answer })
  expect(entered).toHaveProperty('token')
}

/** Returns documents referenced by an unpacked release or its server messages but missing from it. */
export function missingPages(release: string): string[] {
  const docs = path.join(release, 'docs')
  const read = (file: string) => readFileSync(file, 'utf8')
  const pages = ['install', 'operations', 'settings', 'runbook', 'provider', 'cluster', 'capacity'].map((name) =>
    path.join(docs, `${name}.md`),
  )
  const ofPages = pages.filter((file) => existsSync(file)).flatMap((file) => [...read(file).matchAll(/`(?:docs\/)?([\w./-]+\.md)`/g)])
  const source = path.join(release, 'apps/server/src')
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const ofCode = code.flatMap((file) => [...read(path.join(source, file)).matchAll(/docs\/([\w./-]+\.(?:md|json))/g)])
  const documented = [...new Set([...ofPages, ...ofCode].map(([, page = '']) => page))]
  const candidates = (page: string) => [path.join(docs, page), path.join(release, 'deploy', page), path.join(release, page)]
  return [...pages.filter((file) => !existsSync(file)), ...documented.filter((page) => !candidates(page).some((file) => existsSync(file)))]
}
