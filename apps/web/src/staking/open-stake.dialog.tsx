import {
  myStakeLogs,
  myStakes,
  openStake,
  type StakePlan,
  stakePlans,
  type StakeWallet,
  stakeWallets,
  upcoming,
} from '@tizara/contract/staking'
import type { WalletKey } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { formatDate } from '../lib/format.ts'
import type { DialogProps } from '../lib/lazy-dialog.ts'
import { refetch } from '../lib/http/query.ts'
import { CoinElsewhere, useExchangeDialog } from '../transfers/index.ts'
import {
  AmountField,
  arrives,
  leaves,
  MoneyDialog,
  remains,
  useMoneyForm,
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
import { PlanField } from './plan-field.tsx'
import { messages } from './staking.messages.ts'
import { useActivePlans } from './staking.queries.ts'
import { estimateStake, rejectStake, walletOf } from './staking.rules.ts'
import { T } from '../ui/t.tsx'

export interface OpenStakeDialogProps extends DialogProps {
  /** If omitted, the form offers the plans (UI-DASH-18). */
  plan?: StakePlan | undefined
  amount?: string | undefined
}

interface StakeValues {
  planId: string
  wallet: StakeWallet | ''
  stakeAmount: string
}

function useStakeForm({ onClose, plan, amount }: OpenStakeDialogProps, plans: readonly StakePlan[], balances: Balances) {
  const planOf = (id: string): StakePlan | undefined => plan ?? plans.find((one) => one.id === id)
  return useMoneyForm<StakeValues, typeof openStake>({
    route: openStake,
    initial: { planId: plan?.id ?? '', wallet: '', stakeAmount: amount ?? '' },
    amount: { name: 'stakeAmount', wallet: 'nativeWallet', formatOnly: true },
    validate: ({ planId }) => (planOf(planId) === undefined ? { planId: t('This field is required') } : {}),
    reject: ({ wallet }, units) => {
      const refusal = rejectStake(wallet, units, balances)
      if (refusal === 'tooSmall') {
        void showMessage({ icon: 'success', title: messages.tooSmall })
        return {}
      }
      if (refusal === 'wallet' || wallet === '') {
        toast(messages.selectWallet, { tone: 'danger' })
        return { fields: { wallet: t('Choose where the coin comes from') } }
      }
      if (refusal === undefined) return
      toast(messages.insufficient, { tone: 'danger' })
      return { fields: { stakeAmount: t('More than {walletNames} holds', { walletNames: walletNames[walletOf[wallet]] }) } }
    },
    body: ({ planId, wallet }, stakeAmount) => {
      const chosen = planOf(planId)
      if (chosen === undefined || wallet === '') throw new Error('A stake needs a plan and a wallet')
      const { id, planName, duration, apy } = chosen
      return { dailyRoy: estimateStake(chosen, stakeAmount, new Date()).daily, planName, duration, apy, stakeAmount, planId: id, wallet }
    },
    onError: ({ message }) => {
      toast(message, { tone: 'danger' })
      // The plan may have changed while the form was open.
      void refetch(stakePlans)
    },
    successText: () => messages.staked,
    history: ({ planId }) => (planOf(planId)?.omega === true ? '/my-stack-logs' : '/my-stack-coin'),
    refetches: [myStakes, myStakeLogs, upcoming],
    onClose,
  })
}

/** The Stake Now modal (UI-M-STAKE rows, MF-13). */
export function OpenStakeDialog(props: OpenStakeDialogProps) {
  const { data: plans } = useActivePlans()
  const { data: balances } = useWallets()
  const unit = useWalletUnit()('stakeWallet')
  const form = useStakeForm(props, plans ?? [], balances)
  const { wallet, planId } = form.values
  const plan = plans?.find((one) => one.id === planId) ?? props.plan
  const source = wallet === '' ? undefined : walletOf[wallet]
  const exchange = useExchangeDialog({
    onClosed: () => {
      if (wallet === '') form.set('wallet', 'mywallet')
    },
  })
  return (
    <>
      <MoneyDialog
        title={t('Stake Now')}
        description={
          plan === undefined
            ? t('Lock coin for a fixed term. It comes back at the end.')
            : t('{planName}, {duration} days', { planName: plan.planName, duration: plan.duration })
        }
        onClose={props.onClose}
        form={form}
        submit={t('Stake Now')}
        preview={preview(form.typed, source, plan, balances, unit)}
        note={t(
          'An estimate, not a promise. Rewards come from a pool. If it runs short, they are paid later. You cannot take the coin out before the end.',
        )}
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
        <Field group label={t('Wallet')} required error={form.errors.wallet}>
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
        <CoinElsewhere onTransfer={exchange.open} />
        <AmountField
          label={t('Stake Amount')}
          {...form.amount}
          wallet={source ?? 'nativeWallet'}
          balance={source === undefined ? undefined : balances?.[source]}
          hint={plan && <T text="Minimum of this plan: {money}" money={<Money value={plan.minimum} unit={unit} decimals={0} />} />}
        />
      </MoneyDialog>
      {exchange.dialog}
    </>
  )
}

type Balances = ReturnType<typeof useWallets>['data']

/** Shows debit, rewards and maturity (UI-M-STAKE-04). */
function preview(
  amount: Units | null,
  source: WalletKey | undefined,
  plan: StakePlan | undefined,
  balances: Balances,
  unit: string,
): (DescriptionRow | false)[] {
  const estimate = plan && estimateStake(plan, amount ?? 0n, new Date())
  const figure = (value: bigint | undefined, decimals?: number) =>
    value === undefined || amount === null ? '–' : <Money value={value} unit={unit} decimals={decimals} />
  return [
    source !== undefined && leaves(source, amount, unit),
    { key: 'daily', label: t('Daily reward'), value: figure(estimate?.daily, 2), hint: t('to Native Wallet') },
    {
      key: 'total',
      label: t('All rewards together'),
      value: figure(estimate?.total),
      ...(plan && { hint: t('over {duration} days', { duration: plan.duration }) }),
    },
    {
      ...arrives(t('Returned to {walletNames}', { walletNames: walletNames[source ?? 'nativeWallet'] }), amount, unit),
      ...(estimate && { hint: t('on {maturesAt}', { maturesAt: formatDate(estimate.maturesAt) }) }),
    },
    source !== undefined && remains(source, balances?.[source], amount, unit),
  ]
}
