import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { EXTENDED } from '../vitest.config.ts'
import { importsSearch, readExtent, selectFiles } from './extent.ts'
import { longSearch } from './search.ts'

const PROJECT = {
  files: ['a/quick.test.ts', 'a/search.test.ts', 'a/slow.test.ts', 'a/slow-search.test.ts'],
  extended: ['**/slow*.test.ts'],
}
const hasSearch = (file: string) => file.includes('search')

it('leaves slow files out of the short run, and runs searches in both', () => {
  expect(selectFiles(PROJECT, 'short', hasSearch)).toEqual(['a/quick.test.ts', 'a/search.test.ts'])
  expect(selectFiles(PROJECT, 'added', hasSearch)).toEqual(['a/search.test.ts', 'a/slow.test.ts', 'a/slow-search.test.ts'])
})

it('selects every file exactly once for the whole run', () => {
  expect(selectFiles(PROJECT, 'all', hasSearch)).toEqual(PROJECT.files)
  const both = new Set([...selectFiles(PROJECT, 'short', hasSearch), ...selectFiles(PROJECT, 'added', hasSearch)])
  expect([...both].toSorted()).toEqual(PROJECT.files.toSorted())
})

it('recognizes a search by the import of its settings', () => {
  const files = ['apps/server/test/ledger-simulator/simulator.test.ts', 'apps/server/src/ledger/post.test.ts']
  expect(selectFiles({ files, extended: [] }, 'added', importsSearch)).toEqual(files.slice(0, 1))
  expect(selectFiles({ files, extended: [] }, 'added')).toEqual(longSearch ? files.slice(0, 1) : [])
})

it('rejects an extent that does not exist', () => {
  expect(() => readExtent('al')).toThrow('TEST_EXTENT is al')
  expect([readExtent(''), readExtent('added')]).toEqual(['short', 'added'])
})

it('lists only slow files that exist', () => {
  const root = path.join(import.meta.dirname, '..')
  const missing = EXTENDED.filter((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).length === 0)
  expect(missing).toEqual([])
})
