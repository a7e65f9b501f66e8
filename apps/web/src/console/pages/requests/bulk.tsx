import { useState } from 'react'
import { Money } from '../../../ui/money.tsx'
import { useModal } from '../../../ui/use-modal.ts'
import { toApiError } from '../../../lib/http/api.ts'
import { useAppConfig } from '../../../settings/index.ts'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { amountToPay, type QueueRow } from './queue.ts'
import { bulkTotals } from './bulk-totals.ts'
import { armed, refetchQueues, sendDecision } from './use-decision.ts'
import { sheetClass, sheetFootClass } from '../../../ui/sheet.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Button } from '../../../ui/button.tsx'

/** Consecutive failures before the batch stops. */
const STOP_AFTER = 3

/** Approves several items: shows names, amounts and the sum, then sends one call each and shows each result. */
export function BulkSheet({ rows, onClose }: { rows: readonly QueueRow[]; onClose: (done: boolean) => void }) {
  const { tokenSymbol } = useAppConfig()
  const [results, setResults] = useState<readonly { id: string; text: string; ok: boolean }[]>()
  const [{ included, excluded }] = useState(() => bulkTotals(rows))
  const running = results !== undefined && results.length < included.length
  const bind = useModal({ open: true, onClose: () => onClose(results !== undefined), closable: !running })
  const unit = included[0]?.asset === 'coin' ? tokenSymbol : 'USD'
  const sum = included.reduce((total, row) => total + amountToPay(row), 0n)

  async function run(): Promise<void> {
    let failures = 0
    const found: { id: string; text: string; ok: boolean }[] = []
    for (const row of included) {
      if (failures >= STOP_AFTER) found.push({ id: row.id, ok: false, text: 'unchanged' })
      else {
        try {
          const { status } = await sendDecision({ ...armed(row, 'approve', 'pays'), reason: '', txHash: '' })
          failures = 0
          found.push({ id: row.id, ok: true, text: status === 'WAITING' ? 'first approval' : 'approved' })
        } catch (error) {
          failures += 1
          found.push({ id: row.id, ok: false, text: toApiError(error).message })
        }
      }
      setResults([...found])
    }
    await refetchQueues()
  }
  const succeeded = results?.filter((one) => one.ok).length ?? 0
  return (
    <dialog {...bind} className={sheetClass('sm')} aria-labelledby="bulk-title">
      <div className="px-4 pt-3 pb-4">
        <h2 id="bulk-title" className="text-base font-semi tracking-head">
          {results === undefined ? (
            <>
              Approve {included.length}, <Money value={sum} unit={unit} />?
            </>
          ) : running ? (
            `${results.length} of ${included.length}`
          ) : (
            `${succeeded} approved, ${included.length - succeeded} left`
          )}
        </h2>
        <ul className="mt-2">
          {included.map((row) => (
            <li key={row.id} className="flex min-w-0 items-center gap-2 justify-between py-1">
              <span className="truncate">{plain(row.member.name)}</span>
              <span className="text-right whitespace-nowrap">
                <Money value={amountToPay(row)} />{' '}
                <span className="text-faint text-xs">{results?.find((one) => one.id === row.id)?.text}</span>
              </span>
            </li>
          ))}
        </ul>
        {excluded.length > 0 && results === undefined && (
          <Notice tone="warning" className="mt-3">
            {rows.length - included.length} of the {rows.length} selected stay out: {excluded.join(', ')}.
          </Notice>
        )}
        <output className="sr-only">{results === undefined ? '' : `${results.length} of ${included.length} done`}</output>
      </div>
      <div className={sheetFootClass}>
        <Button aria-disabled={running} onClick={() => !running && onClose(results !== undefined)}>
          {results === undefined ? 'Back' : 'Done'}
        </Button>
        {results === undefined && included.length > 0 && (
          <SendButton variant="primary" onClick={run}>
            Approve {included.length}
          </SendButton>
        )}
      </div>
    </dialog>
  )
}
