import { Sheet } from '../kit/sheet.tsx'
import { setLetters, useLetters } from '../kit/use-keys.ts'
import type { ConsolePage } from './console-page.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { MOD } from '../kit/mod-key.ts'

const KEYS: readonly [string, string][] = [
  [`${MOD} K`, 'Search and commands'],
  ['J K', 'Next, previous'],
  ['X', 'Select, to approve several'],
  ['⇧ J ⇧ K', 'Select this one and the next'],
  ['/', 'Filter the list; in a reply: saved replies'],
  ['A', 'Approve (asks for a reason)'],
  ['R', 'Reject (asks for a reason)'],
  ['1 to 3', 'Use a suggested reason'],
  ['O', 'Open the member'],
  ['C', 'Copy the full address'],
  ['P', 'Proposals: propose a change'],
  ['R N', 'Ticket: reply, internal note'],
  ['I E', 'Ticket: assign to me or unassign, close'],
  [`${MOD} ↵`, 'Confirm'],
  ['Z', 'Undo before it is sent'],
  ['U', 'Revoke my approval'],
  ['Esc', 'Cancel, keeps the text'],
  ['?', 'Show this list'],
]

/** Lists the keys, with the switch for single letters. */
export function KeysSheet({ views, onClose }: { views: readonly ConsolePage[]; onClose: () => void }) {
  const letters = useLetters()
  return (
    <Sheet title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {[
          ...KEYS,
          ...views.flatMap((view): [string, string][] => (view.key === undefined ? [] : [[`G ${view.key.toUpperCase()}`, view.title]])),
        ].map(([key, what]) => (
          <div className="contents" key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="flex min-w-0 items-center gap-2">
        <input type="checkbox" checked={letters} onChange={(event) => setLetters(event.target.checked)} />
        Use single letters as shortcuts
      </label>
    </Sheet>
  )
}
