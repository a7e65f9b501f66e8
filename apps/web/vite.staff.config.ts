import path from 'node:path'
import type { Plugin } from 'vite'
import base from './vite.config.ts'

const file = (name: string): string => path.join(import.meta.dirname, name)
const FIRST_VIEW = 'src/console/pages/overview'
const CONTRACT = path.resolve(import.meta.dirname, '../../packages/contract/src')

/** Imports of the frame and of the first view. */
const ofFrame = new Set<string>()

const whatTheFrameNeeds: Plugin = {
  name: 'what-the-frame-needs',
  apply: 'build',
  buildEnd() {
    const collect = (id: string): void => {
      if (ofFrame.has(id)) return
      ofFrame.add(id)
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) collect(next)
    }
    collect(file('src/app/main-staff.tsx'))
    collect(file(`${FIRST_VIEW}/overview.view.tsx`))
  },
}

/** Calls shared by the proposal pages. A page that loads one of these calls needs most of the others. */
const PROPOSALS = [
  'api-keys',
  'staff-api-keys',
  'staff-proposal-fields',
  'staff-changes',
  'staff-events',
  'staff-payout-rules',
  'staff-programme',
  'staff-values',
  'staff-webhooks',
]
/** Shapes of members' rows that staff pages read too, and small calls of most pages. */
const ROWS = ['live', 'nfts', 'receipt-fields', 'returnable', 'staff-jobs', 'staking', 'wallets']
/** Calls grouped into one chunk, by the chunk's name. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'staff-changes': PROPOSALS,
  rows: ROWS,
  account: ['auth', 'proof'],
  brand: ['brand-tokens', 'staff-brand'],
  sending: ['sending-view', 'staff-payment-returns'],
  'staff-members': ['staff-members', 'staff-member-pages'],
}
/** Parts of pages that draft and decide proposals: fields, effects and texts. */
const DRAFTS = /console\/pages\/(catalogue\/(form-field|offers)|proposals\/(effect|fields|payout-rule-text))\.tsx?$/
const groupOf = (name: string): string => Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(name)) ?? name

/**
 * Groups modules into few chunks, because many small files load slower: the frame, shared views, and the calls of each work area.
 */
function sharedBy(id: string): string | null {
  if (id.endsWith('.css') || id === file('src/app/main-staff.tsx') || (id.startsWith(file(FIRST_VIEW)) && !id.endsWith('/page.ts')))
    return null
  if (ofFrame.has(id)) return 'base'
  const { dir, name } = path.parse(id)
  // All views use presence and incidents.
  if (dir === CONTRACT && name !== 'staff-platform') return `calls-${groupOf(name)}`
  // The shared file would load all calls of proposals on every page.
  if (id.endsWith('kit/submit-proposal.ts')) return 'calls-staff-changes'
  if (DRAFTS.test(id)) return 'drafts'
  return /node_modules|contract\/|src\/(ui|lib|app|settings|wallets)\/|src\/console\/kit\//.test(id) ? 'shared' : null
}

/** Builds the staff console separately into the same folder. Members load none of its code, and staff none of theirs. */
export default {
  ...base,
  plugins: [...(base.plugins ?? []), whatTheFrameNeeds],
  build: {
    ...base.build,
    emptyOutDir: false,
    manifest: 'staff-manifest.json',
    rolldownOptions: {
      input: file('staff.html'),
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { debugName: 'frame', name: (id: string) => (sharedBy(id) === 'base' ? 'base' : null), priority: 2 },
            { debugName: 'shared', name: sharedBy, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
}
