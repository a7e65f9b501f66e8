import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, inject } from 'vitest'
import { guardInputs } from '../../../test/guard-inputs.ts'
import { endEntries } from './entry.ts'
import { closeOpened } from './on-file-end.ts'

/** Runs before each test file. Files share the worker's modules and process, so each must restore both. */
const before = { ...process.env }
/** Set by sharp at its first load. */
const BY_LIBRARIES = new Set(['VIPSHOME'])

afterAll(async () => {
  endEntries()
  await closeOpened()
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== before[name] && !BY_LIBRARIES.has(name))
  if (changed.length > 0) throw new Error(`the tests of this file changed the environment of their process: ${changed.join(', ')}`)
})

/** Properties of this worker's process, for all of its test files. */
const worker = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => object }
  engine?: object
  hasGuardedInputs?: true
}
if (worker.hasGuardedInputs === undefined) {
  guardInputs(inject('testDatabase').kind === 'embedded' ? 'server-embedded' : 'server')
  worker.hasGuardedInputs = true
}
// V8 shares compiled code between modules of the same bytes while one of them exists. Each test database would compile it again.
if (inject('testDatabase').kind === 'embedded')
  worker.engine ??= new worker.WebAssembly.Module(
    readFileSync(fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')))),
  )
