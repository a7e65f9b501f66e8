import { openStake, type StakePlan, type StakeWallet, stakeWallets } from '@tizara/contract/staking'
import { toApiError, call } from '../lib/api.ts'
import { formatDate } from '../lib/format.ts'
import {
  AmountField,
  arrives,
  formatFault,
  leaves,
  MoneyDialog,
  readTyped,
  remains,
  showMoveDone,
  useMoneyCall,
  useWallets,
  useWalletUnit,
  walletNames,
} from '../wallets/index.ts'
import type { DescriptionRow } from '../ui/description-list.tsx'
import { Field } from '../ui/field.tsx'
import { Money } from '../ui/money.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { showMessage } from '../ui/message-store.ts'
import { toast } from '../ui/toast-store.ts'
import { type Form, useForm } from '../ui/use-form.ts'
import { PlanField } from './plan-field.tsx'
import { messages } from './staking.messages.ts'
import { refetchPlans, refetchStakes, useActivePlans } from './staking.queries.ts'
import { estimateStake, refuseStake, walletOf } from './staking.rules.ts'

export interface OpenStakeDialogProps {
  open: boolean
  onClose: () => void
  /** Left out, the plan is picked in the form (UI-DASH-18). */
  plan?: StakePlan | undefined
  /** What the amount field begins with. */
  amount?: string | undefined
}

/** The Stake Now modal (UI-M-STAKE rows, MF-13). */
export function OpenStakeDialog({ open, ...rest }: OpenStakeDialogProps) {
  return open ? <StakeForm {...rest} /> : null
}

interface StakeValues {
  planId: string
  wallet: StakeWallet | ''
  stakeAmount: string
}

/** A form that opens one stake. */
function useStakeForm({ onClose, plan, amount }: Omit<OpenStakeDialogProps, 'open'>, plans: readonly StakePlan[]) {
  const { data: balances } = useWallets()
  const callOnce = useMoneyCall()
  const planOf = (id: string): StakePlan | undefined => plan ?? plans.find((one) => one.id === id)
  return useForm<StakeValues>({
    initial: { planId: plan?.id ?? '', wallet: '', stakeAmount: amount ?? '' },
    validate: (values) => {
      const fault = values.stakeAmount.trim() === '' ? undefined : formatFault(values.stakeAmount, 'coin')
      return {
        ...(planOf(values.planId) === undefined && { planId: 'This field is required' }),
        ...(fault !== undefined && { stakeAmount: fault }),
      }
    },
    async onSubmit({ planId, wallet, stakeAmount: typed }) {
      const chosen = planOf(planId)
      const stakeAmount = readTyped(typed, 'coin') ?? 0n
      const refusal = refuseStake(wallet, stakeAmount, balances)
      if (refusal === 'tooSmall') return void showMessage({ icon: 'success', title: messages.tooSmall })
      if (refusal === 'wallet' || wallet === '') {
        toast(messages.selectWallet, { tone: 'danger' })
        return { fields: { wallet: 'Choose where the coin comes from' } }
      }
      if (refusal === 'insufficient') {
        toast(messages.insufficient, { tone: 'danger' })
        return { fields: { stakeAmount: `More than ${walletNames[walletOf[wallet]]} holds` } }
      }
      if (chosen === undefined) return
      const { id, planName, duration, apy } = chosen
      const body = {
        dailyRoy: estimateStake(chosen, stakeAmount, new Date()).daily,
        planName,
        duration,
        apy,
        stakeAmount,
        planId: id,
        wallet,
      }
      try {
        const { data } = await callOnce(openStake.name, body, (idempotencyKey) => call(openStake, { body, idempotencyKey }))
        onClose()
        void showMoveDone({
          message: messages.staked,
          receipt: data?.receipt,
          history: chosen.omega === true ? '/my-stack-logs' : '/my-stack-coin',
        })
      } catch (thrown) {
        toast(toApiError(thrown).message, { tone: 'danger' })
        // The plan may have changed under the form.
        void refetchPlans()
      }
      // After a failure too: nobody knows what an unanswered call has done.
      void refetchStakes()
    },
  })
}

function StakeForm(props: Omit<OpenStakeDialogProps, 'open'>) {
  const { data: plans } = useActivePlans()
  const { data: balances } = useWallets()
  const unit = useWalletUnit()('stakeWallet')
  const form = useStakeForm(props, plans ?? [])
  const { wallet, planId } = form.values
  const plan = plans?.find((one) => one.id === planId) ?? props.plan
  const source = wallet === '' ? undefined : walletOf[wallet]
  return (
    <MoneyDialog
      title="Stake Now"
      description={plan === undefined ? 'Coin rests in a plan until it matures.' : `${plan.planName}, ${plan.duration} days`}
      onClose={props.onClose}
      form={form}
      submit="Stake Now"
      preview={preview(form, plan, balances, unit)}
      note="An estimate: it rests on the plan's percentage and on a reward pool that is funded. The coin cannot be taken out before it matures."
    >
      {props.plan === undefined && (
        <PlanField
          required
          plans={plans}
          value={planId}
          error={form.errors.planId}
          disabled={form.pending}
          onChange={(id) => form.set('planId', id)}
        />
      )}
      <Field group label="Wallet" required error={form.errors.wallet}>
        <RadioCards
          name="wallet"
          value={wallet}
          disabled={form.pending}
          onChange={(next) => form.set('wallet', next)}
          options={stakeWallets.map((value) => ({
            value,
            label: walletNames[walletOf[value]],
            aside: balances && <Money value={balances[walletOf[value]]} unit={unit} />,
          }))}
        />
      </Field>
      <AmountField
        label="Stake Amount"
        field={form.field('stakeAmount')}
        error={form.errors.stakeAmount}
        pending={form.pending}
        wallet={source ?? 'nativeWallet'}
        balance={source === undefined ? undefined : balances?.[source]}
        onFill={(text) => form.set('stakeAmount', text)}
        hint={
          plan && (
            <>
              Minimum of this plan: <Money value={plan.minimum} unit={unit} decimals={0} />
            </>
          )
        }
      />
    </MoneyDialog>
  )
}

type Balances = ReturnType<typeof useWallets>['data']

/** What leaves, what it would bring and when it comes back (UI-M-STAKE-04). */
function preview(form: Form<StakeValues>, plan: StakePlan | undefined, balances: Balances, unit: string): (DescriptionRow | false)[] {
  const amount = readTyped(form.values.stakeAmount, 'coin')
  const estimate = plan && estimateStake(plan, amount ?? 0n, new Date())
  const source = form.values.wallet === '' ? undefined : walletOf[form.values.wallet]
  const figure = (value: bigint | undefined) => (value === undefined ? '–' : <Money value={value} unit={unit} />)
  return [
    source !== undefined && leaves(source, amount, unit),
    { key: 'daily', label: 'Daily reward', value: figure(estimate?.daily) },
    { key: 'total', label: 'All rewards together', value: figure(estimate?.total), ...(plan && { hint: `over ${plan.duration} days` }) },
    { ...arrives('Comes back', amount, unit), ...(estimate && { hint: formatDate(estimate.maturesAt) }) },
    source !== undefined && remains(source, balances?.[source], amount, unit),
  ]
}
