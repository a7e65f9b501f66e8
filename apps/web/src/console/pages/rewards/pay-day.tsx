import type { ReplyOf } from '@tizara/contract'
import { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import { payRewardDay, staffRewardPool, previewRewardDay } from '@tizara/contract/staff-rewards'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { useUnit } from '../../kit/amount.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { Panel } from '../../kit/panel.tsx'
import { FormError } from '../../kit/form-error.tsx'
import { FactList } from '../../../ui/fact-list.tsx'

type Dry = ReplyOf<typeof previewRewardDay>
const kindLabel = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ')

/** Pays the oldest open day: first a dry run, then the same run for real. */
export function PayDay({ openDay }: { openDay: string }) {
  const unit = useUnit()
  const may = useMay('payRewardDay')
  const whoCan = useWhoCan('payRewardDay')
  const [dry, setDry] = useState<Dry>()
  const [reason, setReason] = useState('')
  const [errorText, setErrorText] = useState<string>()
  // Ignores a dry run of another day.
  const shown = dry?.day === openDay ? dry : undefined

  const refuse = (error: unknown) => setErrorText(errorTextOf(error))
  async function tryOut(): Promise<void> {
    setErrorText(undefined)
    setDry(undefined)
    try {
      setDry((await call(previewRewardDay, { body: { day: openDay } })).data)
    } catch (error) {
      refuse(error)
      await refetch(staffRewardPool)
    }
  }
  async function pay(): Promise<void> {
    if (shown === undefined) return
    if (reason.trim() === '') return setErrorText('Enter a reason')
    try {
      const { data } = await call(payRewardDay, { body: { day: shown.day, hash: shown.hash, reason: reason.trim() } })
      toast(
        data
          ? `Paid ${data.rewards.toLocaleString('en-US')} rewards of ${shown.day}`
          : 'The payment has started and continues in the background',
      )
      setReason('')
    } catch (error) {
      refuse(error)
    }
    setDry(undefined)
    await refetch(staffRewardPool, staffRewardRuns)
  }
  return (
    <Panel title="Pay a day manually" hint="Pays the oldest open day. Start with a dry run.">
      <div className="px-4 pt-3 pb-4">
        <div className="flex min-w-0 items-center gap-2 flex-wrap">
          <span className="font-semi">{openDay}</span>
          {may ? <SendButton onClick={tryOut}>Dry run</SendButton> : <span className="text-xs text-faint">{whoCan} pay a day.</span>}
          <span className="text-xs text-faint">nothing is written</span>
        </div>
        {shown !== undefined && (
          <FactList className="mt-3" aria-label={`Dry run of ${shown.day}`}>
            <dt>Rewards</dt>
            <dd>{shown.rewards.toLocaleString('en-US')}</dd>
            {shown.totals
              .filter((total) => total.rewards > 0)
              .map((total) => (
                <Total key={total.kind} label={`${kindLabel(total.kind)}, ${total.rewards.toLocaleString('en-US')}`}>
                  {formatAmount(total.amount)} {unit(total.asset)}
                </Total>
              ))}
            <dt>Hash</dt>
            <dd>
              <span className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-muted">
                {shown.hash.slice(0, 16)}
              </span>
            </dd>
          </FactList>
        )}
        <FormError text={errorText} className="mt-2" />
        {may && (
          <div className="flex min-w-0 items-center gap-2 flex-wrap mt-3">
            <label className="sr-only" htmlFor="day-why">
              Reason of the payment
            </label>
            <input
              id="day-why"
              className="control min-w-0 flex-1"
              maxLength={500}
              placeholder="Reason"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
            <SendButton variant="primary" aria-disabled={shown === undefined} onClick={pay}>
              Pay exactly this
            </SendButton>
          </div>
        )}
        <p className="text-xs text-faint mt-1">If the result differs, nothing is paid.</p>
      </div>
    </Panel>
  )
}

function Total({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
