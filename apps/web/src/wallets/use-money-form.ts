import type { ReactNode } from 'react'
import { generalSettings } from '@tizara/contract/settings'
import { toApiError } from '../lib/api.ts'
import type { ApiError } from '../lib/api.ts'
import { refetch } from '../lib/query.ts'
import type { ReceiptRef } from '../lib/receipt-link.ts'
import { type FormOptions, useForm } from '../ui/use-form.ts'
import { useMoneyCall } from './money-call.ts'
import { showMoveDone, showRefusal } from './move-result.tsx'
import { refetchWallets } from './wallet.queries.ts'

/** What a money call answers. */
export interface MoneyAnswer {
  message: string
  data?: { receipt?: ReceiptRef | undefined } | null | undefined
}

/** A refusal of the form itself, before any call. */
export interface Refusal {
  title: string
  text: string
  /** The modal closes with it. */
  closes?: boolean
}

export interface MoneyFormOptions<V extends object, B extends object> extends Pick<FormOptions<V>, 'initial' | 'validate'> {
  /** The route's name: the idempotency key belongs to it. */
  name: string
  onClose: () => void
  /** Refusals that a popup tells (ER rows); runs once the fields are right. */
  refuse?: (values: V) => Refusal | undefined
  /** Asks once more; false sends nothing. */
  confirm?: (values: V) => Promise<boolean>
  /** The body as it goes out. */
  body: (values: V) => B
  send: (body: B, idempotencyKey: string) => Promise<MoneyAnswer>
  /** Title of the popup that tells the server's refusal, and whether the modal closes with it (ER-28 to ER-32). */
  failed: { title: string; closes: boolean; text?: (error: ApiError) => string }
  /** What the success popup says besides the server's message. */
  done: { fallback: string; history?: string; summary?: (values: V) => ReactNode }
  /** Other reads that the movement outdates. */
  onDone?: () => void
}

/**
 * A form that moves money: field checks, popup refusals, confirmation, one call with its idempotency key, then the
 * wallets anew, the modal closed and the server's message shown (ST-38, UI-M-COMMON-01 to -03).
 */
export function useMoneyForm<V extends object, B extends object>(options: MoneyFormOptions<V, B>) {
  const callOnce = useMoneyCall()
  return useForm<V>({
    initial: options.initial,
    validate: options.validate,
    async onSubmit(values) {
      const refusal = options.refuse?.(values)
      if (refusal !== undefined) {
        if (refusal.closes === true) options.onClose()
        return void showRefusal(refusal.title, refusal.text, 'warning')
      }
      if (options.confirm !== undefined && !(await options.confirm(values))) return
      const body = options.body(values)
      try {
        const { message, data } = await callOnce(options.name, body, (key) => options.send(body, key))
        options.onClose()
        const { fallback, history, summary } = options.done
        void showMoveDone({ message: message === '' ? fallback : message, receipt: data?.receipt, history, summary: summary?.(values) })
        options.onDone?.()
      } catch (thrown) {
        const error = toApiError(thrown)
        if (options.failed.closes) options.onClose()
        // The price or a fee may have moved: the form shows the new one.
        void refetch(generalSettings)
        void showRefusal(options.failed.title, options.failed.text?.(error) ?? error.message)
      }
      // After a failure too: nobody knows what an unanswered call has done.
      void refetchWallets()
    },
  })
}
