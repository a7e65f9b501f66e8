import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'

/** Files that write without a button of their own. */
const ELSEWHERE = new Set([
  // Says who looks where; nobody presses it.
  'lib/presence.ts',
  // What the dialog of `actions.tsx` runs.
  'members/acts.ts',
  // Looks at a mail: a read by its nature.
  'catalogue/mails.tsx',
])
const writes = new Set<string>(allRoutes.filter((route) => route.method !== 'GET').map((route) => route.name))
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
)

it('has an eye on the connection wherever the console sends something', () => {
  const sending = files.filter((file) => {
    const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    const named = [...text.matchAll(/import \{([^}]+)\} from '@tizara\/contract\/[\w-]+'/g)].flatMap(([, names = '']) =>
      names.split(/,\s*/),
    )
    const called = named
      .filter((name) => writes.has(name.trim()))
      .filter((name) => new RegExp(`\\bcall\\([^;]*\\b${name.trim()}\\b`).test(text))
    return called.length > 0 && !/<SendButton|isOffline\(\)|useOffline\(\)|<ActDialog/.test(text)
  })
  expect(sending.filter((file) => !ELSEWHERE.has(file))).toEqual([])
  // Each of those named does send: another one's place is not kept free.
  expect(sending.filter((file) => ELSEWHERE.has(file)).toSorted()).toEqual([...ELSEWHERE].toSorted())
})
