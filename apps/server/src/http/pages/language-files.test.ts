import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import sources from '@tizara/languages/sources' with { type: 'json' }
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { onFileEnd } from '../../../test/on-file-end.ts'
import { readConfig } from '../../platform/config/config.ts'
import { languagesOf } from '../../platform/config/languages.ts'
import { addLanguageFiles } from './language-files.ts'
import { addWebFiles } from './web-files.ts'

const root = mkdtempSync(path.join(tmpdir(), 'language-files-'))
const [dist, data] = [path.join(root, 'dist'), path.join(root, 'data')]
mkdirSync(dist)
mkdirSync(path.join(data, 'languages'), { recursive: true })
writeFileSync(path.join(dist, 'index.html'), '<html><head></head><body></body></html>')
const texts = Object.fromEntries(sources.app.map((source) => [source, source]))
const xx = { language: 'xx', name: 'A "B" & C', direction: 'rtl', reviewed: false, texts }
writeFileSync(path.join(data, 'languages', 'xx.json'), JSON.stringify(xx))

const config = readConfig({ DATA_DIR: data })
const app = fastify({ exposeHeadRoutes: false })
addLanguageFiles(app, config)
await addWebFiles(app, config, { dist, others: () => [] })
onFileEnd(async () => {
  await app.close()
  rmSync(root, { recursive: true, force: true })
})

const one = languagesOf(config).offered.find(({ language }) => language === 'xx')

it("serves a language's texts compressed, to be cached forever, and no other address", async () => {
  expect(one?.files.size).toBe(3)
  for (const [url, file] of one?.files ?? []) {
    const plain = await app.inject({ url })
    expect([plain.statusCode, plain.headers['content-type'], plain.body]).toEqual([200, 'application/json; charset=utf-8', file])
    expect(plain.headers['cache-control']).toContain('immutable')
    const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(file)
  }
  for (const other of ['/languages/xx.0000000000000000.json', '/languages/..%2fxx.json'])
    expect((await app.inject({ url: other })).statusCode).toBe(404)
})

it('names the languages in each page, escaped', async () => {
  const { body } = await app.inject({ url: '/dashboard' })
  const [, content = ''] = /<meta name="languages" content="([^"]*)">/.exec(body) ?? []
  const decoded = content.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  const { language, name, direction, reviewed, address } = one ?? {}
  expect(JSON.parse(decoded)).toContainEqual({ language, name, direction, reviewed, address })
})
