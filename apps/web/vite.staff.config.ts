import path from 'node:path'
import type { Plugin } from 'vite'
import base from './vite.config.ts'

const file = (name: string): string => path.join(import.meta.dirname, name)
const FIRST_VIEW = 'src/console/pages/overview'
const CONTRACT = path.resolve(import.meta.dirname, '../../packages/contract/src')

/** What the frame imports, and the view that it shows first. */
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

/** What changes of the house's promises stand on: whoever loads one of them loads most of the others. */
const PROMISES = ['staff-bounds', 'staff-changes', 'staff-programme', 'staff-values']
/** Shapes of members' rows that staff read too. */
const ROWS = ['nfts', 'receipt-facts', 'staking', 'wallets']

/** Few files, because many small ones are slower: the frame's, what several views share, and the calls of each part of the work. */
function sharedBy(id: string): string | null {
  if (id.endsWith('.css') || id === file('src/app/main-staff.tsx') || (id.startsWith(file(FIRST_VIEW)) && !id.endsWith('/page.ts')))
    return null
  if (ofFrame.has(id)) return 'base'
  const { dir, name } = path.parse(id)
  // Presence and incidents: every view has them.
  if (dir === CONTRACT && name !== 'staff-house')
    return `calls-${PROMISES.includes(name) ? 'staff-changes' : ROWS.includes(name) ? 'rows' : name}`
  return /node_modules|contract\/|src\/(ui|lib|app|settings|wallets)\/|src\/console\/kit\//.test(id) ? 'shared' : null
}

/** The console of staff: a build of its own into the same folder, so that members load no byte of it, nor it of theirs. */
export default {
  ...base,
  plugins: [...base.plugins, whatTheFrameNeeds],
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
