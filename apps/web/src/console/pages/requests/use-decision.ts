import { approveRequest, rejectRequest, staffQueue, staffQueueItem, revokeApproval } from '@tizara/contract/staff-queues'
import { staffOverview } from '@tizara/contract/staff'
import { type Ref, useEffect, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { toast } from '../../../ui/toast-store.ts'
import { deleteDraft } from '../../kit/drafts.ts'
import { useMe } from '../../kit/me.tsx'
import { isOffline } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { draftOf, retryCall, isSimple, newKey, amountToPay, type QueueDetail, type QueueRow, type QueueWords } from './queue.ts'

export interface DecideHandle {
  arm: (verb: Verb) => void
  usePreparedReason: (index: number) => void
  submit: () => void
  disarm: () => void
}

export interface DecideBarProps {
  item: QueueRow
  effect: QueueDetail['effect']
  words: QueueWords
  failure: string | undefined
  onDecide: (decision: Decision) => Promise<boolean>
  onRevoke: () => Promise<void>
  onNext: () => void
  ref: Ref<DecideHandle>
}

export type Verb = 'approve' | 'reject'

/** A decision that staff have chosen but not confirmed. Its idempotency key makes retries safe. */
export interface Decision {
  row: QueueRow
  verb: Verb
  effect: QueueDetail['effect']
  reason: string
  txHash: string
  key: string
}

/** Undo time in ms before a decision is sent. */
const UNDO_MS = 5_000

export const armed = (row: QueueRow, verb: Verb, effect: QueueDetail['effect']): Omit<Decision, 'reason' | 'txHash'> => ({
  row,
  verb,
  effect,
  key: newKey(),
})

/** Result of a decision, with its ledger transfer if it paid or credited. */
interface Outcome {
  status: keyof typeof OUTCOME
  transferId?: string | undefined
}

/** Sends one decision with the item version it was made on. */
export async function sendDecision({ row, verb, reason, txHash, key }: Decision): Promise<Outcome> {
  const params = { kind: row.kind, id: row.id }
  if (verb === 'reject') {
    await retryCall(() => call(rejectRequest, { params, body: { reason, seen: row.seen }, idempotencyKey: key }))
    return { status: 'REJECTED' }
  }
  const body = {
    amount: amountToPay(row),
    seen: row.seen,
    ...(reason === '' ? {} : { reason }),
    ...(txHash === '' ? {} : { txHash }),
  }
  const { data } = await retryCall(() => call(approveRequest, { params, body, idempotencyKey: key }))
  return data?.status === 'WAITING' ? { status: 'WAITING' } : { status: 'APPROVED', transferId: data?.transferId?.toString() }
}

/** Re-reads all data that a decision changes. */
export const refetchQueues = (): Promise<void> => refetch(staffQueue, staffQueueItem, staffOverview)

const BUSY = 'the service is busy. Nothing happened. Your reason is kept.'
/** The server may have applied it. Only the item shows the result. */
const NO_ANSWER = 'no response, so the decision may have been saved. Open the request again to check. Your reason is kept.'

const OUTCOME = { APPROVED: 'Paid', WAITING: 'First approval of', REJECTED: 'Rejected' } as const

/** `93.00 USD, Daniel Osei`. */
const amountAndMember = (row: QueueRow): string =>
  `${formatAmount(amountToPay(row))} ${row.asset === 'usd' ? 'USD' : 'coin'}, ${plain(row.member.name)}`

/**
 * Decides on items. A simple approval that pays waits five seconds. During this time it can be undone, and closing the page cancels it.
 * All other decisions are sent at once.
 * @param onGone called when a decided item leaves the queue: when an approval begins to wait, or after the server accepted a final decision
 */
export function useDecision(onGone: (row: QueueRow) => void) {
  const [waiting, setWaiting] = useState<Decision>()
  const [failure, setFailure] = useState<{ id: string; text: string }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<{ decision: Decision; until: number }>(undefined)
  const me = useMe().person.id
  useEffect(
    () => () => {
      // Leaving the view keeps the pending decision: it is sent on time and can be undone before. Closing the page cancels it.
      if (pending.current === undefined) return
      const { decision, until } = pending.current
      const hide = toast(`Approving ${amountAndMember(decision.row)}: it is sent in a moment`, {
        tone: 'info',
        ms: Math.max(1, until - Date.now()),
        action: {
          label: 'Undo',
          onSelect: () => {
            clearTimeout(timer.current)
            pending.current = undefined
            hide()
          },
        },
      })
    },
    [],
  )

  async function send(decision: Decision): Promise<boolean> {
    clearTimeout(timer.current)
    pending.current = undefined
    setWaiting(undefined)
    const { row } = decision
    const amountText = amountAndMember(row)
    try {
      const { status, transferId } = await sendDecision(decision)
      deleteDraft(draftOf(me, row))
      const text = `${row.kind === 'deposits' && status === 'APPROVED' ? 'Credited' : OUTCOME[status]} ${amountText}`
      if (transferId === undefined) toast(text)
      else toast(text, { ms: 6000, action: { label: `Transfer ${transferId}`, onSelect: () => navigate(`/staff/ledger/-/${transferId}`) } })
      return true
    } catch (error) {
      const { serverMessage, fromServer } = toApiError(error)
      const text = fromServer ? (serverMessage ?? BUSY) : NO_ANSWER
      setFailure({ id: row.id, text })
      const about = fromServer ? `Not ${decision.verb === 'approve' ? 'approved' : 'rejected'}: ` : `${amountText}: `
      toast(about + text, { tone: 'danger', ms: 8000 })
      return false
    } finally {
      await refetchQueues()
    }
  }

  return {
    waiting,
    failure,
    forget: () => setFailure(undefined),
    /** @returns true if the decision succeeded, or waits to be sent and can still be undone */
    decide: async (decision: Decision): Promise<boolean> => {
      setFailure(undefined)
      // At most one decision waits. A new decision sends the waiting one at once.
      if (pending.current !== undefined) void send(pending.current.decision)
      if (decision.verb === 'approve' && decision.effect === 'pays' && isSimple(decision.row)) {
        pending.current = { decision, until: Date.now() + UNDO_MS }
        setWaiting(decision)
        timer.current = setTimeout(() => void send(decision), UNDO_MS)
        onGone(decision.row)
        return true
      }
      const outcome = await send(decision)
      if (outcome && decision.verb === 'reject') onGone(decision.row)
      if (outcome && decision.verb === 'approve' && decision.effect === 'pays') onGone(decision.row)
      return outcome
    },
    undo: () => {
      clearTimeout(timer.current)
      pending.current = undefined
      setWaiting(undefined)
    },
    revoke: async (row: QueueRow): Promise<void> => {
      if (isOffline()) return
      try {
        await call(revokeApproval, { params: { kind: row.kind, id: row.id }, body: {} })
        toast('Approval revoked')
      } catch (error) {
        toast(toApiError(error).message, { tone: 'danger', ms: 8000 })
      }
      await refetchQueues()
    },
  }
}
