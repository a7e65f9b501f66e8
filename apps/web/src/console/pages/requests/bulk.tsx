import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { Money } from '../../../ui/money.tsx'
import { useModal } from '../../../ui/use-modal.ts'
import { toApiError } from '../../../lib/api.ts'
import { useAppConfig } from '../../../settings/index.ts'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { payoff, type QueueRow } from './queue.ts'
import { together } from './together.ts'
import { armed, refetchQueues, sendDecision } from './use-decision.ts'

/** So many failures in a row stop the rest. */
const STOP_AFTER = 3

/** Approves several: names, amounts and the sum first, then one call after another, and a result for each. */
export function BulkSheet({ rows, onClose }: { rows: readonly QueueRow[]; onClose: (done: boolean) => void }) {
  const { tokenSymbol } = useAppConfig()
  const [results, setResults] = useState<readonly { id: string; text: string; ok: boolean }[]>()
  const [{ go, stay }] = useState(() => together(rows))
  const running = results !== undefined && results.length < go.length
  const bind = useModal({ open: true, onClose: () => onClose(results !== undefined), closable: !running })
  const unit = go[0]?.asset === 'coin' ? tokenSymbol : 'USD'
  const sum = go.reduce((total, row) => total + payoff(row), 0n)

  async function run(): Promise<void> {
    let failures = 0
    const found: { id: string; text: string; ok: boolean }[] = []
    for (const row of go) {
      if (failures >= STOP_AFTER) found.push({ id: row.id, ok: false, text: 'left as it is' })
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
  const done = results?.filter((one) => one.ok).length ?? 0
  return (
    <dialog {...bind} className="sheet small" aria-labelledby="bulk-title">
      <div className="in">
        <h2 id="bulk-title" className="t">
          {results === undefined ? (
            <>
              Approve {go.length}, <Money value={sum} unit={unit} />?
            </>
          ) : running ? (
            `${results.length} of ${go.length}`
          ) : (
            `${done} approved, ${go.length - done} left`
          )}
        </h2>
        <ul className="mt8">
          {go.map((row) => (
            <li key={row.id} className="row sb" style={{ padding: '4px 0' }}>
              <span className="tr">{plain(row.member.name)}</span>
              <span className="num">
                <Money value={payoff(row)} /> <span className="fnt sm">{results?.find((one) => one.id === row.id)?.text}</span>
              </span>
            </li>
          ))}
        </ul>
        {stay.length > 0 && results === undefined && (
          <p className="note warn mt12">
            <Flag size={14} aria-hidden="true" />
            {rows.length - go.length} of the {rows.length} selected stay out: {stay.join(', ')}.
          </p>
        )}
        <output className="sr">{results === undefined ? '' : `${results.length} of ${go.length} done`}</output>
      </div>
      <div className="ft">
        <button type="button" className="btn" aria-disabled={running} onClick={() => !running && onClose(results !== undefined)}>
          {results === undefined ? 'Back' : 'Done'}
        </button>
        {results === undefined && go.length > 0 && (
          <SendButton variant="primary" className="btn pri" onClick={run}>
            Approve {go.length}
          </SendButton>
        )}
      </div>
    </dialog>
  )
}
