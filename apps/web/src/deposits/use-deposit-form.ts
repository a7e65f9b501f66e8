import { DEPOSIT_MAX, DEPOSIT_MIN } from '@tizara/contract'
import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { toApiError } from '../lib/api.ts'
import { useForm } from '../ui/use-form.ts'
import { amountFault, readTyped, showRefusal, useMoneyCall } from '../wallets/index.ts'
import { depositMessages } from './deposits.messages.ts'

/** Bounds of a deposit (VA-25, VA-26). */
export const depositBounds = { min: DEPOSIT_MIN, max: DEPOSIT_MAX }

export interface DepositFormOptions {
  asset: Asset
  /** The route's name. */
  name: string
  /** Makes the invoice; gives the address to go to. */
  send: (amount: Units, idempotencyKey: string) => Promise<string>
  onReady: (address: string) => void
}

/** One amount field that opens an invoice (VA-24 to VA-27). The modal stays open after a refusal (ER-17, ER-32). */
export function useDepositForm({ asset, name, send, onReady }: DepositFormOptions) {
  const callOnce = useMoneyCall()
  return useForm({
    initial: { amount: '' },
    validate: ({ amount }) => {
      const fault = amountFault(amount, asset, depositBounds)
      return fault === undefined ? {} : { amount: fault }
    },
    async onSubmit({ amount }) {
      const units = readTyped(amount, asset) ?? 0n
      try {
        onReady(await callOnce(name, { amount: units }, (key) => send(units, key)))
      } catch (thrown) {
        void showRefusal(depositMessages.failed, toApiError(thrown).serverMessage ?? depositMessages.failedText)
      }
    },
  })
}
