import type { bridgeRow, withdrawalRow } from '@tizara/contract/withdrawals'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import { formatTime } from '../lib/format.ts'

/** Withdrawal or bridge fields that determine its steps. */
export type PayoutProgress = Pick<InferOutput<typeof withdrawalRow>, 'waitsUntil' | 'sending' | 'reason'> & {
  decision: 'pending' | 'approved' | 'rejected'
}

export interface PayoutStep {
  key: 'requested' | 'confirmed' | 'approved' | 'sent' | 'arrived'
  label: string
  state: 'done' | 'current' | 'todo' | 'failed'
  hint?: string | undefined
}

const LABELS = texts({
  requested: 'Requested',
  confirmed: 'Confirmed by you',
  approved: 'Approved',
  sent: 'Sent',
  arrived: 'Arrived',
})
const KEYS = ['requested', 'confirmed', 'approved', 'sent', 'arrived'] as const

/** Returns the current step, counted from 0; 5 after arrival. */
function reached({ decision, waitsUntil, sending }: PayoutProgress): number {
  if (decision === 'pending') return waitsUntil === undefined ? 2 : 1
  // Manually paid payouts have no sending state.
  if (sending === undefined || sending === 'arrived') return 5
  return sending === 'waiting' ? 3 : 4
}

/** Explains the current step's wait. */
function hintOf(key: PayoutStep['key'], { waitsUntil }: PayoutProgress): string | undefined {
  switch (key) {
    case 'confirmed':
      return (
        waitsUntil && t('Confirm it by {waitsUntil}. Otherwise the money returns to your wallet.', { waitsUntil: formatTime(waitsUntil) })
      )
    case 'approved':
      return t('Our staff check it. You do not need to do anything.')
    case 'sent':
      return t('It is sent in a moment.')
    case 'arrived':
      return t('It is waiting for confirmations of the network.')
    case 'requested':
      return undefined
  }
}

/** Returns a payout's steps from request to arrival; a rejected one ends with its reason. */
export function payoutSteps(progress: PayoutProgress): PayoutStep[] {
  if (progress.decision === 'rejected') {
    const hint = [progress.reason, t('The whole amount is back in your wallet.')].filter((part) => part !== undefined).join(': ')
    return [
      { key: 'requested', label: LABELS.requested, state: 'done' },
      { key: 'approved', label: t('Not paid'), state: 'failed', hint },
    ]
  }
  const now = reached(progress)
  return KEYS.map((key, index) => ({
    key,
    label: key === 'confirmed' && index === now ? t('Your confirmation') : LABELS[key],
    state: index < now ? 'done' : index === now ? 'current' : 'todo',
    hint: index === now ? hintOf(key, progress) : undefined,
  }))
}

/** Returns a withdrawal row's progress (EN-45). */
export const withdrawalProgress = (row: InferOutput<typeof withdrawalRow>): PayoutProgress => ({
  waitsUntil: row.waitsUntil,
  sending: row.sending,
  reason: row.reason,
  decision: row.status === 'PENDING' ? 'pending' : row.status === 'APPROVE' ? 'approved' : 'rejected',
})

/** Returns a bridge row's progress: status null is pending, true paid, anything else rejected (EN-42). */
export const bridgeProgress = (row: InferOutput<typeof bridgeRow>): PayoutProgress => ({
  waitsUntil: row.waitsUntil,
  sending: row.sending,
  reason: row.reason,
  decision: row.status === null || row.status === undefined ? 'pending' : row.status === true ? 'approved' : 'rejected',
})
