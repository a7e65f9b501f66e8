import { pageOf } from '@tizara/contract'
import { bridgeHistory, withdrawalHistory } from '@tizara/contract/withdrawals'
import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { readOr } from '../lib/lists/damaged-row.ts'
import { read } from '../lib/http/query.ts'
import { receiptHref } from '../lib/receipts/receipt-link.ts'
import { useAppConfig } from '../settings/index.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Money } from '../ui/money.tsx'
import { bridgeProgress, type PayoutProgress, type PayoutStep, payoutSteps, withdrawalProgress } from './payout-steps.rules.ts'

/** Newest withdrawals and bridges, of each kind, among which the open ones are shown. */
const NEWEST = { page: 1, limit: 5 }

interface OpenPayout {
  kind: 'withdrawal' | 'bridge'
  id: string
  amount: Units
  step: PayoutStep
  awaitsMember: boolean
}

/** Returns the payout with its current step; none if it has arrived or was rejected. */
function openPayout(kind: OpenPayout['kind'], id: string | undefined, amount: Units, progress: PayoutProgress): OpenPayout[] {
  const step = payoutSteps(progress).find(({ state }) => state === 'current')
  if (id === undefined || step === undefined) return []
  return [{ kind, id, amount, step, awaitsMember: progress.waitsUntil !== undefined }]
}

/** Shows the withdrawals and bridges under way, each with its step and what the member does next. Load failures are not shown (ER-67). */
export function OpenPayouts() {
  const { tokenSymbol } = useAppConfig()
  const withdrawals = useQuery(read(withdrawalHistory, { query: NEWEST }))
  const bridges = useQuery(read(bridgeHistory, { query: NEWEST }))
  const open = [
    ...readOr(() => (withdrawals.data === undefined ? [] : pageOf(withdrawals.data).data), []).flatMap((row) =>
      readOr(() => openPayout('withdrawal', row.id, row.amount, withdrawalProgress(row)), []),
    ),
    ...readOr(() => (bridges.data === undefined ? [] : pageOf(bridges.data).data), []).flatMap((row) =>
      readOr(() => openPayout('bridge', row.id, row.amount, bridgeProgress(row)), []),
    ),
  ]
  if (open.length === 0) return null
  return (
    <ul aria-label={t('Withdrawals under way')} className="mb-2 divide-y border-b text-sm">
      {open.map(({ kind, id, amount, step, awaitsMember }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
          <div className="min-w-0 flex-[1_1_12rem]">
            <p>
              {t('{kind, select, bridge {Bridge} other {Withdrawal}}', { kind })}:{' '}
              <Money value={amount} unit={kind === 'bridge' ? tokenSymbol : 'USD'} className="font-semi" />
            </p>
            <p className="text-xs text-faint">{step.hint ?? step.label}</p>
          </div>
          <Link
            href={receiptHref(kind === 'bridge' ? '/history/withdraw-history' : '/history/usd-transfer-history', { kind, id })}
            className={buttonClass(awaitsMember ? 'primary' : 'secondary', 'sm')}
          >
            {awaitsMember ? t('Confirm {kind, select, bridge {bridge} other {withdrawal}}', { kind }) : t('See the steps')}
          </Link>
        </li>
      ))}
    </ul>
  )
}
