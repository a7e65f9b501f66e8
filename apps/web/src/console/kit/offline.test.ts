import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { allRoutes } from '@tizara/contract/all-routes'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** Files that write without a send button. */
const ELSEWHERE = new Set([
  // Reports which page a colleague has open; no button sends it.
  'kit/presence.ts',
  // Called by dialogs, which are checked like those that make a call.
  'kit/submit-proposal.ts',
  // Run by the dialog of `actions.tsx`.
  'pages/members/acts.ts',
  // Renders a sample mail and writes nothing.
  'pages/catalogue/mails.tsx',
])
const writes = new Set<string>(allRoutes.filter((route) => route.method !== 'GET').map((route) => route.name))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))

it('checks the connection before every call that sends data', () => {
  const sending = files.filter((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const named = [...text.matchAll(/import \{([^}]+)\} from '@tizara\/contract\/[\w-]+'/g)].flatMap(([, names = '']) =>
      names.split(/,\s*/),
    )
    const called = named
      .filter((name) => writes.has(name.trim()))
      .filter((name) => new RegExp(`\\bcall\\([^;]*\\b${name.trim()}\\b`).test(text))
    const proposes = text.includes('submitProposal(')
    return (called.length > 0 || proposes) && !/<SendButton|isOffline\(\)|useOffline\(\)|<ActDialog|<SendDialog/.test(text)
  })
  expect(sending.filter((file) => !ELSEWHERE.has(file))).toEqual([])
  expect(readFileSync(path.join(root, 'kit/send-dialog.tsx'), 'utf8')).toContain('<ActDialog')
  // Each exception still sends.
  expect(sending.filter((file) => ELSEWHERE.has(file)).toSorted()).toEqual([...ELSEWHERE].toSorted())
})
