import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runTool } from './postgres-tool.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tool-'))
const CA = path.join(folder, 'ca.pem')
beforeAll(() => {
  writeFileSync(CA, '')
  writeFileSync(path.join(folder, 'pg_dump'), `#!/bin/sh\n{ env | grep ^PG | sort; echo "$@"; } > ${folder}/seen\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['postgres://a:p%40ss@db.example/house', ['PGDATABASE=house', 'PGHOST=db.example', 'PGPASSWORD=p@ss', 'PGPORT=5432', 'PGUSER=a']],
  ['postgres://a:b@[::1]:6000/house', ['PGDATABASE=house', 'PGHOST=::1', 'PGPASSWORD=b', 'PGPORT=6000', 'PGUSER=a']],
  ['postgres://a:b@/house?host=/run/sock', ['PGDATABASE=house', 'PGHOST=/run/sock', 'PGPASSWORD=b', 'PGPORT=5432', 'PGUSER=a']],
  [
    `postgres://a:b@h/house?sslmode=verify-full&sslrootcert=${CA}`,
    ['PGDATABASE=house', 'PGHOST=h', 'PGPASSWORD=b', 'PGPORT=5432', 'PGSSLMODE=verify-full', `PGSSLROOTCERT=${CA}`, 'PGUSER=a'],
  ],
])('connects to the database of %s without its password in the arguments', async (url, env) => {
  await runTool('pg_dump', url, ['--format=custom'])
  const seen = readFileSync(path.join(folder, 'seen'), 'utf8').trimEnd().split('\n')
  expect(seen).toEqual([...env, '--format=custom'])
})
