import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allRoutes } from '@tizara/contract/all-routes'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { PRODUCTION } from '../../production-environment.ts'
import { testClock } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'
import { buildApp } from '../../../src/main/build-app.ts'
import { createPorts } from '../../../src/main/ports.ts'

const ENVIRONMENT = { ...PRODUCTION, DATABASE_URL: 'postgres://localhost/none' }

const { db } = await testDatabase()

/** A built web app, and the data folder. */
const dist = mkdtempSync(join(tmpdir(), 'tizara-web-'))
mkdirSync(join(dist, 'assets'))
writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Pages</title>')
writeFileSync(join(dist, 'assets', 'index-abc.js'), '')
afterAll(() => rmSync(dist, { recursive: true }))

/** Builds the app in this mode, and returns its methods and paths. */
async function built(env: Record<string, string>): Promise<{ app: FastifyInstance; routes: string[] }> {
  const config = readConfig({ DATA_DIR: dist, ...env, LOG_LEVEL: 'silent' })
  const deps = { config, clock: testClock('2026-03-02T09:00:00Z'), ids: randomIds, log: createLog(config.logLevel) }
  const app = await buildApp(deps, db, createPorts(config, 'http://127.0.0.1:9'), undefined, dist)
  await app.ready()
  afterAll(() => app.close())
  return { app, routes: routesOf(app.printRoutes({ commonPrefix: false })) }
}

/** Parses paths from a printed route tree. */
function routesOf(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] = /^((?:[│ ] {3}|[├└]── )*)(\S*)(?: \(([^)]+)\))?/.exec(line) ?? []
    const depth = indent.length / 4
    above.length = depth
    above.push(part)
    return methods === undefined ? [] : [above.join('')]
  })
}

const development = await built({ NODE_ENV: 'development' })
const production = await built(ENVIRONMENT)

/** Development paths, with a response excerpt. */
const PAGES = [
  ['/api/docs', 'html'],
  ['/api/openapi.json', '"openapi"'],
  ['/sandbox/outbox', 'html'],
  ['/sandbox/sheet', 'accounts'],
  ['/metrics', 'tizara_http_request_duration_seconds'],
] as const

describe('development pages', () => {
  it.each(PAGES)('%s is served in development and answers 404 in production', async (path, part) => {
    const shown = await development.app.inject(path)
    expect([shown.statusCode, shown.body.includes(part)]).toEqual([200, true])
    expect((await production.app.inject(path)).statusCode).toBe(404)
  })
})

describe('production paths', () => {
  it('are the calls of the contract, the health checks and the web app only', () => {
    const unnamed = (path: string) => path.replaceAll(/:\w+/g, ':')
    const calls = new Set(allRoutes.flatMap(({ path }) => [`/api/v1${unnamed(path)}`, `/invoice-api${unnamed(path)}`]))
    const others = new Set(production.routes.filter((path) => !calls.has(unnamed(path))))
    expect(production.routes.length).toBeGreaterThan(100)
    // `*` serves preflight calls and pages without a route.
    const webApp = ['*', '/', '/*', '/assets/:name', '/auth/signin', '/brand/:file', '/brand/app.webmanifest', '/languages/:file']
    expect([...others].toSorted()).toEqual([...webApp, '/api/v1/live', '/health/live', '/health/ready', '/robots.txt'].toSorted())
  })

  it('are those of development without its extra pages', async () => {
    const more = [...new Set(development.routes.filter((path) => !production.routes.includes(path)))]
    expect(more.toSorted()).toEqual([
      '/api/docs',
      '/api/docs.css',
      '/api/docs.js',
      '/api/openapi.json',
      '/metrics',
      '/sandbox/later',
      '/sandbox/outbox',
      '/sandbox/outbox.css',
      '/sandbox/outbox/:name',
      '/sandbox/sheet',
    ])
    for (const path of more) expect((await production.app.inject(path)).statusCode, path).toBe(404)
  })
})
