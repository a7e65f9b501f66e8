import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Translate } from '@tizara/languages'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultBrand, setBrand } from '../../platform/config/brand.ts'
import { readConfig } from '../../platform/config/config.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { addBrandFiles } from './brand-files.ts'
import { addWebFiles } from './web-files.ts'

const PAGE =
  '<html><head><meta name="description" content="Your wallets, stakes, NFTs and rewards in one place." /><title>%BRAND%</title><link rel="icon" href="/assets/t.svg" type="image/svg+xml" /></head><body><noscript>This app needs JavaScript.</noscript>%BRAND%</body></html>'
const HASH = 'a'.repeat(64)
const png = Buffer.from('png')
const config = readConfig({})
const coral = {
  ...defaultBrand('Coral'),
  version: 1,
  accent: '#ffd400',
  logo: { hash: HASH, mark: png },
  links: [[(t: Translate) => t('Terms'), 'https://example.com/terms?a=1&b="2"']] as const,
}
let app: FastifyInstance
let dist: string
let hasTerms = false
/** Addresses of counted requests. The second one is refused. */
const limited: string[] = []
beforeAll(async () => {
  dist = mkdtempSync(path.join(tmpdir(), 'dist-'))
  for (const name of ['index.html', 'spa.html', 'sign-in.html', 'staff.html']) writeFileSync(path.join(dist, name), PAGE)
  // The build puts the name of the product here.
  writeFileSync(path.join(dist, 'spa.html'), PAGE.replace('%BRAND%', 'Tizara'))
  app = fastify({ exposeHeadRoutes: false })
  addBrandFiles(
    app,
    config,
    (hash) => Promise.resolve(hash === HASH ? png : undefined),
    (ip) => {
      limited.push(ip)
      return limited.length > 1 ? Promise.reject(new AppError('TOO_MANY_REQUESTS')) : Promise.resolve()
    },
  )
  await addWebFiles(app, config, { dist, others: () => [], hasTerms: () => hasTerms })
})
afterAll(async () => {
  await app.close()
  rmSync(dist, { recursive: true, force: true })
})
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

it('leaves pages as they were built without a brand', async () => {
  setBrand(config, defaultBrand('Tizara'))
  const { body } = await get('/')
  expect(body).not.toMatch(/<style>|<footer|manifest/)
  expect(body).toContain('href="/assets/t.svg"')
  expect((await get('/brand/app.webmanifest')).statusCode).toBe(404)
})

it('shows name, icons, colours, logo and links from the moment at which the process reads the brand', async () => {
  setBrand(config, defaultBrand('Tizara'))
  const before = await get('/')
  setBrand(config, coral)
  const { body, headers } = await get('/', { 'if-none-match': String(before.headers['etag']) })
  expect(body).not.toContain('Tizara')
  expect(body).toContain('<title>Coral</title>')
  expect(body).toContain(`<link rel="icon" href="/brand/${HASH}-96.png" type="image/png">`)
  expect(body).not.toContain('/assets/t.svg')
  expect(body).toContain('<a href="https://example.com/terms?a=1&#38;b=&#34;2&#34;">Terms</a></footer></body>')
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  expect(style).toMatch(/^:root\{--accent:#[0-9a-f]{6};.*\}body\.dark,.*--accent:#ffd400;/s)
  expect(style).toContain(`url(/brand/${HASH}-96.png)`)
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}'`)
})

it('shows links, description and the text without JavaScript in the language of the request', async () => {
  setBrand(config, coral)
  const es = [
    'content="Sus carteras, stakes, NFT y recompensas en un solo lugar."',
    '<noscript lang="es" dir="ltr">Esta aplicación necesita JavaScript.</noscript>',
    '>Términos</a></footer>',
  ]
  const en = [
    'content="Your wallets, stakes, NFTs and rewards in one place."',
    '<noscript>This app needs JavaScript.</noscript>',
    '>Terms</a></footer>',
  ]
  for (const [headers, texts] of [
    [{ 'accept-language': 'es-MX,es;q=0.9' }, es],
    [{ cookie: 'a=1; language=es', 'accept-language': 'en' }, es],
    [{ cookie: 'language=en', 'accept-language': 'es' }, en],
    [{ 'accept-language': 'tlh' }, en],
  ] as const) {
    const { body, headers: sent } = await get('/auth/signup', headers)
    expect(texts.filter((text) => !body.includes(text))).toEqual([])
    expect(sent['vary']).toContain('Accept-Language, Cookie')
  }
  const { body } = await get('/dashboard', { cookie: 'language=ar' })
  expect(body).toContain('<noscript lang="ar" dir="rtl">يحتاج')
})

it('tells pages that new members accept terms as soon as there are some', async () => {
  expect((await get('/auth/signup')).body).not.toContain('name="terms"')
  hasTerms = true
  expect((await get('/auth/signup')).body).toContain('<meta name="terms" content="on">')
})

it('has no name of the product in the title of a page that is not prerendered', async () => {
  setBrand(config, coral)
  const { body } = await get('/dashboard')
  expect(body).toContain('<title>Coral</title>')
  expect(body).not.toContain('Tizara')
})

it('shows no links in the console', async () => {
  setBrand(config, coral)
  expect((await get('/staff')).body).not.toContain('<footer')
})

it('serves logos by their hash, and the manifest with the icons', async () => {
  setBrand(config, coral)
  const logo = await get(`/brand/${HASH}-512.png`)
  expect([logo.statusCode, logo.headers['content-type'], logo.headers['cache-control']]).toEqual([
    200,
    'image/png',
    'public, max-age=31536000, immutable',
  ])
  expect((await get('/brand/app.webmanifest')).json()).toMatchObject({ name: 'Coral', icons: [{ sizes: '96x96' }, { sizes: '512x512' }] })
  for (const file of [`${'b'.repeat(64)}-96.png`, `${HASH}-97.png`, `${HASH}.png`, '..%2F..%2Fetc%2Fpasswd', 'x'])
    expect((await get(`/brand/${file}`)).statusCode).toBe(404)
})

it('limits requests for logos that are not in force, and not for those in force', async () => {
  setBrand(config, coral)
  limited.length = 0
  for (let times = 0; times < 3; times += 1) expect((await get(`/brand/${HASH}-96.png`)).statusCode).toBe(200)
  expect(limited).toEqual([])
  const other = () => get(`/brand/${'b'.repeat(64)}-96.png`)
  expect([(await other()).statusCode, limited.length]).toEqual([404, 1])
  expect((await other()).statusCode).not.toBe(404)
})
