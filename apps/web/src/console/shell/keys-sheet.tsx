import { Sheet } from '../kit/sheet.tsx'
import { setLetters, useLetters } from '../kit/use-keys.ts'
import type { ConsolePage } from './console-page.ts'

const KEYS: readonly [string, string][] = [
  ['⌘ K', 'search and commands'],
  ['J K', 'next, previous'],
  ['X', 'select, for several at once'],
  ['⇧ J ⇧ K', 'select this and the next'],
  ['/', 'filter of this list; in a reply: saved replies'],
  ['A', 'to the reason, approve armed'],
  ['R', 'to the reason, reject armed'],
  ['1 to 3', 'ready reason'],
  ['O', 'open the member'],
  ['C', 'copy the full address'],
  ['P', 'in changes: propose'],
  ['R N', 'in a ticket: reply, internal note'],
  ['I E', 'in a ticket: take or give back, close'],
  ['⌘ ↵', 'does what is armed'],
  ['Z', 'undo while it waits'],
  ['U', 'take the own first approval back'],
  ['Esc', 'back out one step, keeps text'],
  ['?', 'this list'],
]

/** The keys, and the switch for single letters. */
export function KeysSheet({ views, onClose }: { views: readonly ConsolePage[]; onClose: () => void }) {
  const letters = useLetters()
  return (
    <Sheet title="Keys" onClose={onClose}>
      <dl className="keys">
        {[
          ...KEYS,
          ...views.flatMap((view): [string, string][] => (view.key === undefined ? [] : [[`G ${view.key.toUpperCase()}`, view.title]])),
        ].map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd className="kbd">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="row">
        <input type="checkbox" checked={letters} onChange={(event) => setLetters(event.target.checked)} />
        Single letters are keys
      </label>
    </Sheet>
  )
}
