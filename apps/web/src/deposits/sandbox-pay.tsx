import { payInSandbox } from '@tizara/contract/deposits'
import { t, texts } from '@tizara/languages'
import { useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

const outcomes = texts('label', [
  { outcome: 'exact', label: 'Exact amount' },
  { outcome: 'half', label: 'Half' },
  { outcome: 'double', label: 'Double' },
  { outcome: 'two', label: 'Two payments' },
  { outcome: 'late', label: 'Late' },
  { outcome: 'wrong', label: 'Wrong token' },
] as const)

/** Time until the development chain's block is visible, in ms. */
const BLOCK_MS = 3_000

/** Pays an invoice with play money; sandbox only. */
export function SandboxPay({ id, onPaid }: { id: string; onPaid: () => void }) {
  const [running, setRunning] = useState(false)

  async function pay(outcome: (typeof outcomes)[number]['outcome']): Promise<void> {
    setRunning(true)
    try {
      await call(payInSandbox, { params: { id }, body: { outcome } })
      toast(t('Play money sent'))
      // Refreshes after the block and its scan, before the next poll.
      setTimeout(onPaid, BLOCK_MS)
    } catch (error) {
      toast(toApiError(error).message, { tone: 'danger' })
    } finally {
      setRunning(false)
    }
  }

  return (
    <section aria-labelledby="sandbox-heading" className="mt-6 rounded-xl border border-dashed border-line-strong p-4">
      <h2 id="sandbox-heading" className="text-sm font-semi text-warning">
        {t('Pay with play money')}
      </h2>
      <p className="mt-0.5 mb-3 text-sm text-muted">{t('This is a sandbox. Choose how the payment arrives.')}</p>
      <div className="flex flex-wrap gap-2">
        {outcomes.map(({ outcome, label }) => (
          <Button
            key={outcome}
            size="sm"
            variant={outcome === 'exact' ? 'primary' : 'secondary'}
            disabled={running}
            onClick={() => pay(outcome)}
          >
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}
