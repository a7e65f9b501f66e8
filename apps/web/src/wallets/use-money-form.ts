import { generalSettings } from '@tizara/contract/settings'
import { walletAssets, type WalletKey } from '@tizara/contract/wallets'
import type { BodyOf, ReplyOf, Route } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { type ApiError, call, toApiError } from '../lib/api.ts'
import type { CallInput } from '../lib/http.ts'
import { refetch } from '../lib/query.ts'
import type { ReceiptRef } from '../lib/receipt-link.ts'
import { type FormFailure, type FormOptions, useForm } from '../ui/use-form.ts'
import { useMoneyCall } from './money-call.ts'
import { type FollowUp, showMoveDone, showRefusal } from './move-result.tsx'
import { amountFault, type Bounds, formatFault, readTyped } from './typed-amount.ts'
import { refetchWallets } from './wallet.queries.ts'
import { walletMessages } from './wallets.messages.ts'

/** The field of a form that an amount is typed in. */
interface TypedAmount<V> {
  name: keyof V & string
  /** Whose asset is typed. */
  wallet: WalletKey
  bounds?: Bounds | undefined
  /** An empty field counts as 0 and `refuse` knows the limits: only the form of the number is looked at. */
  loose?: boolean
}

export interface MoneyFormOptions<V extends object, R extends Route> {
  route: R
  initial: V
  onClose: () => void
  amount?: TypedAmount<V>
  /** Checks of the other fields; a fault of the amount itself comes before one that this finds in it. */
  validate?: NonNullable<FormOptions<V>['validate']>
  /** There is nothing to move: that is told, and the modal closes, before any field is looked at (ER-24, VA-42, VA-55). */
  nothing?: (amount: Units | null) => boolean
  /** Once the fields are right: tells why nothing is sent, and names the fields that are to blame. */
  refuse?: (values: V, amount: Units) => FormFailure<V> | undefined
  /** Asks once more; false and a failure send nothing. */
  confirm?: (values: V, amount: Units) => Promise<boolean | FormFailure<V>>
  body: (values: V, amount: Units) => BodyOf<R>
  /** The figure that the form shows and the server has to reckon too, in units. */
  quoted?: (values: V, amount: Units) => Units | undefined
  /** Tells the server's refusal, and whether the modal closes with it (ER-28 to ER-32). */
  failed?: (error: ApiError) => void
  closesFailed?: boolean
  /** What a success says, given the server's words. */
  said?: (message: string) => string
  /** Hears that the server has answered, and how: without an error when it agreed. */
  settled?: (error?: ApiError) => void
  /** What is left to do after a success, if anything. */
  next?: (data: NonNullable<ReplyOf<R>>) => string | undefined
  /** Offers the page that continues after a success. */
  followUp?: FollowUp
  /** The page that lists the movement. */
  history?: (values: V) => string
  /** Instead of closing with the server's words; what it throws is a failure whose call keeps its key. */
  onAnswer?: (data: ReplyOf<R>) => void
  /** Reads that the movement outdates besides the wallets. */
  outdates?: readonly Route[]
}

/**
 * A form that moves money: one parsed amount, field checks, refusals, confirmation, one call with its idempotency key,
 * then the wallets anew, the modal closed and the server's message shown (ST-38, UI-M-COMMON-01 to -03).
 * @returns the form, `typed`: the amount in units or null, and `amount`: the props of its field
 */
export function useMoneyForm<V extends object, R extends Route>(options: MoneyFormOptions<V, R>) {
  const { route, amount, onClose } = options
  const callOnce = useMoneyCall()
  const asset = walletAssets[amount?.wallet ?? 'depositWallet']
  const textOf = (values: V): string => (amount === undefined ? '' : (values[amount.name] as string))
  const unitsOf = (values: V): Units | null => readTyped(textOf(values), asset)

  function faultOf(text: string): string | undefined {
    if (amount?.loose !== true) return amountFault(text, asset, amount?.bounds)
    return text.trim() === '' ? undefined : formatFault(text, asset)
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
    options.settled?.()
    if (options.onAnswer !== undefined) return
    onClose()
    const said = options.said?.(message) ?? message
    const receipt = (data as { receipt?: ReceiptRef } | null | undefined)?.receipt
    void showMoveDone({
      message: said === '' ? walletMessages.done : said,
      receipt,
      history: options.history?.(values),
      next: data === null || data === undefined ? undefined : options.next?.(data),
      followUp: options.followUp,
    })
  }

  const form = useForm<V>({
    initial: options.initial,
    validate(values) {
      if (options.nothing?.(unitsOf(values)) === true) return {}
      const faults = options.validate?.(values) ?? {}
      const fault = amount && faultOf(textOf(values))
      return amount === undefined || fault === undefined ? faults : { ...faults, [amount.name]: fault }
    },
    async onSubmit(values) {
      const units = unitsOf(values)
      if (options.nothing?.(units) === true) {
        onClose()
        return void showRefusal(walletMessages.zeroTitle, walletMessages.zero, 'warning')
      }
      const refusal = options.refuse?.(values, units ?? 0n)
      if (refusal !== undefined) return refusal
      const sure = (await options.confirm?.(values, units ?? 0n)) ?? true
      if (sure !== true) return sure === false ? undefined : sure
      try {
        await send(values, units ?? 0n)
      } catch (thrown) {
        const error = toApiError(thrown)
        options.settled?.(error)
        if (options.closesFailed === true) onClose()
        // The price or a fee may have moved: the form shows the new one.
        void refetch(generalSettings)
        if (options.failed === undefined) void showRefusal(walletMessages.failed, error.message)
        else options.failed(error)
      }
      // After a failure too: nobody knows what an unanswered call has done.
      void refetchWallets()
      void refetch(...(options.outdates ?? []))
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
