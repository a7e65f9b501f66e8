import { generalSettings } from '@tizara/contract/settings'
import { walletAssets, type WalletKey } from '@tizara/contract/wallets'
import type { BodyOf, ReplyOf, Route } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { type ApiError, call, toApiError } from '../lib/http/api.ts'
import type { CallInput } from '../lib/http/http.ts'
import { queryClient, refetch } from '../lib/http/query.ts'
import type { ReceiptRef } from '../lib/receipts/receipt-link.ts'
import { type FormFailure, type FormOptions, useForm } from '../ui/use-form.ts'
import { useMoneyCall } from './money-call.ts'
import { type FollowUp, showMoveDone, showRejection } from './move-result.tsx'
import { amountError, type Bounds, formatError, readTyped } from './typed-amount.ts'
import { refetchWallets } from './wallet.queries.ts'
import { walletMessages } from './wallets.messages.ts'

interface TypedAmount<V> {
  name: keyof V & string
  /** Wallet that defines the asset. */
  wallet: WalletKey
  bounds?: Bounds | undefined
  /** Checks only the number's form: an empty field is 0 and `reject` checks the limits. */
  formatOnly?: boolean
}

export interface MoneyFormOptions<V extends object, R extends Route> {
  route: R
  initial: V
  /** Values that take precedence over the draft of a rejected call. */
  start?: V | undefined
  onClose: () => void
  amount?: TypedAmount<V>
  /** Validates the other fields. The amount's own error takes precedence. */
  validate?: NonNullable<FormOptions<V>['validate']>
  /** Returns true if there is nothing to move; the form then says so and closes before validation (ER-24, VA-42, VA-55). */
  hasNothingToMove?: (amount: Units | null) => boolean
  /** Rejects valid input with a reason and the fields concerned. */
  reject?: (values: V, amount: Units) => FormFailure<V> | undefined
  /** Asks for confirmation. Sends nothing if it returns false or errors of fields. A thrown error is shown like one of the server. */
  confirm?: (values: V, amount: Units) => Promise<boolean | FormFailure<V>>
  body: (values: V, amount: Units) => BodyOf<R>
  /** Quote shown in the form, in units; the server must compute the same. */
  quoted?: (values: V, amount: Units) => Units | undefined
  /** Shows an error of the server instead of the usual message (ER-28 to ER-32). */
  onError?: (error: ApiError) => void
  /** Closes the dialog on an error of the server, and keeps the values as a draft. */
  closesOnError?: boolean
  /** Returns the success text for a server message. */
  successText?: (message: string) => string
  /** Called after a response; without an error on success. */
  onSettled?: (error?: ApiError) => void
  /** Returns the member's next step after success. */
  next?: (data: NonNullable<ReplyOf<R>>, values: V) => string | undefined
  /** Link offered after success. */
  followUp?: FollowUp
  /** Page that lists the movement. */
  history?: (values: V) => string
  /** Handles the response and keeps the form open. If this handler throws, the call fails and keeps its idempotency key. */
  onAnswer?: (data: ReplyOf<R>) => void
  /** Further reads to refetch, apart from the wallets. */
  refetches?: readonly Route[]
}

/**
 * Manages a money form: amount, validation, refusals, confirmation and one idempotent call. Then it refetches wallets, closes the dialog
 * and shows the server's message (ST-38, UI-M-COMMON-01 to -03).
 * @returns the form; `typed`: units or null; `amount`: the amount field's props
 */
export function useMoneyForm<V extends object, R extends Route>(options: MoneyFormOptions<V, R>) {
  const { route, amount, onClose } = options
  const callOnce = useMoneyCall()
  // An error closes the form (ER-28), so its values are kept in the query cache, for five minutes or until sign-out.
  const draftKey = ['draft', route.name]
  const asset = walletAssets[amount?.wallet ?? 'depositWallet']
  const textOf = (values: V): string => (amount === undefined ? '' : (values[amount.name] as string))
  const unitsOf = (values: V): Units | null => readTyped(textOf(values), asset)

  function errorOf(text: string): string | undefined {
    if (amount?.formatOnly !== true) return amountError(text, asset, amount?.bounds)
    return text.trim() === '' ? undefined : formatError(text, asset)
  }

  async function send(values: V, units: Units): Promise<void> {
    const body = options.body(values, units)
    const quoted = options.quoted?.(values, units)
    const { message, data } = await callOnce(route.name, body as object, async (idempotencyKey) => {
      const input = { body, idempotencyKey, quoted } as unknown as CallInput<R>
      const answer = await call<Route>(route, input as CallInput<Route>)
      options.onAnswer?.(answer.data)
      return answer
    })
    options.onSettled?.()
    if (options.onAnswer !== undefined) return
    onClose()
    const text = options.successText?.(message) ?? message
    const receipt = (data as { receipt?: ReceiptRef } | null | undefined)?.receipt
    void showMoveDone({
      message: text === '' ? walletMessages.done : text,
      receipt,
      history: options.history?.(values),
      next: data === null || data === undefined ? undefined : options.next?.(data, values),
      followUp: options.followUp,
    })
  }

  const form = useForm<V>({
    initial: options.start ?? queryClient.getQueryData<V>(draftKey) ?? options.initial,
    validate(values) {
      if (options.hasNothingToMove?.(unitsOf(values)) === true) return {}
      const fieldErrors = options.validate?.(values) ?? {}
      const errorText = amount && errorOf(textOf(values))
      return amount === undefined || errorText === undefined ? fieldErrors : { ...fieldErrors, [amount.name]: errorText }
    },
    async onSubmit(values) {
      const units = unitsOf(values)
      if (options.hasNothingToMove?.(units) === true) {
        onClose()
        return void showRejection(walletMessages.zeroTitle, walletMessages.zero, 'warning')
      }
      const refusal = options.reject?.(values, units ?? 0n)
      if (refusal !== undefined) return refusal
      try {
        const confirmation = (await options.confirm?.(values, units ?? 0n)) ?? true
        if (confirmation !== true) return confirmation === false ? undefined : confirmation
        await send(values, units ?? 0n)
        queryClient.removeQueries({ queryKey: draftKey })
      } catch (thrown) {
        const error = toApiError(thrown)
        options.onSettled?.(error)
        if (options.closesOnError === true) {
          queryClient.setQueryData(draftKey, values)
          onClose()
        }
        // The price or a fee may have changed; the form shows the new one.
        void refetch(generalSettings)
        if (options.onError === undefined) void showRejection(walletMessages.failed, error.message)
        else options.onError(error)
      }
      // Also after a failure, because an unanswered call may have succeeded.
      void refetchWallets()
      void refetch(...(options.refetches ?? []))
      return undefined
    },
  })

  const name = amount?.name ?? ('' as keyof V & string)
  return {
    ...form,
    typed: unitsOf(form.values),
    amount: {
      field: form.field(name),
      error: form.errors[name],
      pending: form.pending,
      wallet: amount?.wallet ?? 'depositWallet',
      bounds: amount?.bounds,
      onFill: (text: string) => form.set(name, text as V[typeof name]),
    },
  }
}
