import { useEffect, useState } from 'react'
import { Money } from '../../../ui/money.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { amountToPay } from './queue.ts'
import type { Decision } from './use-decision.ts'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'

/** Shows an unsent decision with its undo button. */
export function UndoBar({ decision, onUndo }: { decision: Decision; onUndo: () => void }) {
  const [left, setLeft] = useState(5)
  useEffect(() => {
    setLeft(5)
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [decision])
  const { row } = decision
  return (
    <div
      className="fixed bottom-16 left-3 z-30 flex min-w-[360px] items-center gap-2.5 rounded-lg border border-line-strong bg-surface px-3 py-2.5 shadow-elevate max-md:inset-x-3 max-md:top-1 max-md:bottom-auto max-md:min-w-0"
      role="status"
    >
      <div className="min-w-0 flex-1">
        <div className="font-semi">
          Approving <Money value={amountToPay(row)} unit={row.asset === 'usd' ? 'USD' : ''} />, {plain(row.member.name)}
        </div>
        <div className="text-xs text-muted">
          <span aria-hidden="true">sent in {left} s; </span>closing the page sends nothing
        </div>
      </div>
      <Button size="sm" onClick={onUndo}>
        Undo <Kbd>Z</Kbd>
      </Button>
    </div>
  )
}
