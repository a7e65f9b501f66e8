import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { anvilProgram } from '../apps/server/src/sandbox/chain/anvil.ts'
import { bundledPostgres } from './postgres.ts'

it.each([
  ['PostgreSQL', ['initdb', 'pg_ctl', 'postgres'].map((name) => path.join(bundledPostgres(), name))],
  ['anvil', [anvilProgram() ?? 'no program']],
])('runs %s from the npm packages when the machine has none', (name, programs) => {
  for (const program of programs) expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toContain(name)
})
