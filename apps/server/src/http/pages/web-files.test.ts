import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { addWebFiles } from './web-files.ts'

const BRAND = 'Ängel & "Söhne" <b>$&</b>'
const SHELL = '<html><head><title>Tizara</title></head><body><div id="root"></div></body></html>'
const screens = {
  '/dashboard': { guard: 'member', files: ['/assets/home.js', '/assets/moves.js'] },
  '/auth/signup': { guard: 'public', files: ['/assets/sign-up.js'] },
  '/ticket/show/:id': { guard: 'member', group: 'account', files: ['/assets/ticket.js'] },
  '*': { guard: 'public', files: ['/assets/lost.js'] },
}

let app: FastifyInstance
let dist: string
let other: string
beforeAll(async () => {
  dist = mkdtempSync(path.join(tmpdir(), 'dist-'))
  other = mkdtempSync(path.join(tmpdir(), 'other-build-'))
  mkdirSync(path.join(dist, 'assets'))
  const files = {
    'index.html': SHELL,
    'spa.html': SHELL,
    'staff.html': '<html><head><title>Staff</title></head><body></body></html>',
    'sign-in.html': '<html><head><title>%BRAND%</title></head><body><a aria-label="%BRAND% home">%BRAND%</a></body></html>',
    'screens.json': JSON.stringify(screens),
    'csp.json': JSON.stringify({ script: ["'sha256-abc='"], style: [] }),
    'assets/home-1.js': 'export {}',
    'proof-checker.html': '<html><script>check()</script></html>',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dist, name), text)
  app = fastify({ exposeHeadRoutes: false })
  await addWebFiles(app, readConfig({ BRAND_NAME: BRAND }), { dist, others: () => [other] })
})
afterAll(async () => {
  await app.close()
  for (const folder of [dist, other]) rmSync(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

it('[GN-27] inserts the escaped brand name into the prerendered sign-in page', async () => {
  for (const url of ['/', '/auth/signin', '/?from=mail']) {
    const { body } = await get(url)
    expect(body).not.toContain('%BRAND%')
    expect(body).not.toContain('<b>')
    expect(body.match(/Ängel &#38; &#34;Söhne&#34; &#60;b&#62;\$&#38;&#60;\/b&#62;/g)).toHaveLength(4)
  }
})

it('sends a robots.txt of rules when a search engine asks, and no page', async () => {
  const reply = await get('/robots.txt')
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(reply.body.trim().split('\n')).toEqual([expect.stringMatching(/^User-agent: \*$/), expect.stringMatching(/^Disallow: \/api\/$/)])
})

it("names the code of a route's screen: preloads it for a public one, leaves it to the page for a member's", async () => {
  const { body: dashboard } = await get('/dashboard')
  expect(dashboard).toContain('<meta name="screen-files" content="/assets/home.js /assets/moves.js">')
  expect(dashboard).not.toContain('modulepreload')
  expect((await get('/')).body).toContain('content="/assets/home.js /assets/moves.js"')
  expect((await get('/ticket/show/42')).body).toContain('content="/assets/ticket.js"')
  expect((await get('/auth/signup?referralCode=A')).body).toContain('<link rel="modulepreload" crossorigin href="/assets/sign-up.js">')
  expect((await get('/nowhere/__proto__')).body).toContain('/assets/lost.js')
})

it("names the file of texts of a route's group for each language, and that of the pages on which members arrive when there is none", async () => {
  const groupOf = async (url: string) => /&#34;\/languages\/es\.(\w+)\.[0-9a-f]{16}\.json&#34;/.exec((await get(url)).body)?.[1]
  expect(await groupOf('/ticket/show/42')).toBe('account')
  for (const url of ['/', '/auth/signin', '/dashboard', '/nowhere']) expect(await groupOf(url)).toBe('arrival')
})

it('sends a page compressed once, in an encoding that the browser accepts', async () => {
  const plain = await get('/dashboard')
  const br = await get('/dashboard', { 'accept-encoding': 'gzip, deflate, br' })
  const gzip = await get('/dashboard', { 'accept-encoding': 'gzip, br;q=0' })
  expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  expect(br.headers['vary']).toContain('Accept-Encoding')
  const again = await get('/dashboard', { 'if-none-match': String(plain.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect(again.headers['content-security-policy']).toBe(plain.headers['content-security-policy'])
})

it('[RT-58] serves no page for other paths, and lets hashed files be cached forever', async () => {
  expect((await get('/api/none')).statusCode).toBe(404)
  expect((await get('/assets/none.js')).statusCode).toBe(404)
  expect((await get('/assets/home-1.js')).headers['cache-control']).toContain('immutable')
  expect((await get('/screens.json')).body).toContain('<html>')
})

it('[GN-04] serves a separate entry page for staff', async () => {
  const { body } = await get('/staff')
  expect(body).toContain('<title>Staff</title>')
  expect(body).toContain('name="api-base-url"')
  expect((await get('/staff/payouts/42?for=me')).body).toBe(body)
  expect((await get('/staffroom')).body).toContain('/assets/lost.js')
})

it('sends the proof checker as a download, so that its inline script never runs on this origin', async () => {
  const { headers, body } = await get('/proof-checker.html')
  expect(headers['content-disposition']).toBe('attachment; filename="proof-checker.html"')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toBe('<html><script>check()</script></html>')
})

it('answers HEAD like GET, without a body', async () => {
  for (const url of ['/', '/dashboard', '/nowhere']) {
    const [head, whole] = [await app.inject({ method: 'HEAD', url }), await get(url)]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['etag']).toBe(whole.headers['etag'])
    expect(head.headers['content-length']).toBe(whole.headers['content-length'])
  }
})

it('serves the hashed files of another build once they exist, and none of its other files', async () => {
  expect((await get('/assets/older-7.js')).statusCode).toBe(404)
  mkdirSync(path.join(other, 'assets'))
  for (const name of ['assets/older-7.js', 'assets/older-7.js.br', 'assets/.hidden', 'secret.js', 'assets/home-1.js'])
    writeFileSync(path.join(other, name), 'of another build')
  const older = await get('/assets/older-7.js')
  expect([older.statusCode, older.body]).toEqual([200, 'of another build'])
  expect(older.headers['cache-control']).toContain('immutable')
  expect((await get('/assets/home-1.js')).body).toBe('export {}')
  for (const name of ['older-7.js.br', '.hidden', '..%2fsecret.js', '%2e%2e%2fsecret.js', ''])
    expect((await get(`/assets/${name}`)).statusCode).toBe(404)
  rmSync(path.join(dist, 'assets', 'home-1.js'))
  expect((await get('/assets/home-1.js')).body).toBe('of another build')
})
