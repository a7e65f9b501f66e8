import { afterAll } from 'vitest'
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
