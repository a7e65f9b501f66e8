import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** A top-level test, group, or loop over either: what every engine gets to see of a file. */
const BEGINS_A_TEST = /^(it|test|describe|for)\b/m

// Vitest fails a project with a file in which it finds no test at all.
it('only files of PostgreSQL alone hide all of their tests behind a look at the engine', () => {
  const files = globSync('apps/server/**/*.test.ts', { exclude: ['**/node_modules/**'] })
  expect(files.length).toBeGreaterThan(100)
  const hidden = files.filter((file) => !BEGINS_A_TEST.test(readFileSync(file, 'utf8')))
  expect(hidden.filter((file) => !file.endsWith('.postgres.test.ts'))).toEqual([])
})
