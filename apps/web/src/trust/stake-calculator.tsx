import type { ReplyOf } from '@tizara/contract'
import type { publicOffer } from '@tizara/contract/trust'
import { t } from '@tizara/languages'
import { dailyReward, formatUnits, mulDiv, ONE, type Units } from '@tizara/money'
import { useState } from 'react'
import { Moment } from '../lib/moment.tsx'
import { AmountInput } from '../ui/amount-input.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Field } from '../ui/field.tsx'
import { Money } from '../ui/money.tsx'
import { Select } from '../ui/select.tsx'
import { amountError, readTyped } from '../wallets/typed-amount.ts'
import { T } from '../ui/t.tsx'

const DAY_MS = 86_400_000

export interface StakeCalculatorProps {
  /** USD units per coin. */
  coinPrice: Units
  plans: ReplyOf<typeof publicOffer>['plans']
  unit: string
}

/** Estimates what a stake costs, pays and returns, also if the price falls by half. Starts with the plan's minimum. */
export function StakeCalculator({ coinPrice, plans, unit }: StakeCalculatorProps) {
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState('')
  const plan = plans.find(({ id }) => id === chosen) ?? plans[0]
  const text = typed ?? formatUnits(plan?.minimum ?? 0n)
  const errorText = amountError(text, 'coin', plan === undefined ? {} : { min: plan.minimum })
  const stake = errorText === undefined ? readTyped(text, 'coin') : null
  return (
    <Card aria-labelledby="calculator">
      <CardHeader id="calculator" title={t('Calculator')} hint={t('An estimate, if the pool can pay all rewards')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t('Amount')} error={errorText}>
          <AmountInput value={text} unit={unit} maxLength={20} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <Field label={t('Plan')}>
          <Select
            value={plan?.id ?? ''}
            onChange={(event) => setChosen(event.target.value)}
            options={plans.map(({ id, planName, duration }) => ({
              value: id,
              label: t('{planName}: {duration} days', { planName, duration }),
            }))}
          />
        </Field>
      </div>
      {plan !== undefined && stake !== null && <Estimate coinPrice={coinPrice} plan={plan} stake={stake} unit={unit} />}
    </Card>
  )
}

interface EstimateProps {
  coinPrice: Units
  plan: StakeCalculatorProps['plans'][number]
  /** Coin units. */
  stake: Units
  unit: string
}

function Estimate({ coinPrice, plan, stake, unit }: EstimateProps) {
  const [openedAt] = useState(() => Date.now())
  const days = Math.max(1, plan.duration)
  const daily = dailyReward(stake, plan.apy, days)
  const rewards = daily * BigInt(days)
  const worth = (price: Units): Units => mulDiv(stake + rewards, price, ONE, 'down')
  return (
    <DescriptionList
      className="mt-4 border-t"
      rows={[
        { key: 'cost', label: t('Costs now'), value: <Money approx value={mulDiv(stake, coinPrice, ONE, 'up')} unit="USD" /> },
        { key: 'daily', label: t('Paid each day'), value: <Money approx value={daily} unit={unit} /> },
        { key: 'rewards', label: t('All rewards in {days} days', { days }), value: <Money approx value={rewards} unit={unit} /> },
        {
          key: 'back',
          label: <T text="Returned on {moment}" moment={<Moment at={new Date(openedAt + days * DAY_MS)} />} />,
          value: <Money value={stake} unit={unit} />,
        },
        { key: 'worth', label: t('Both at the price now'), value: <Money approx value={worth(coinPrice)} unit="USD" /> },
        { key: 'half', label: t('Both if the price falls by half'), value: <Money approx value={worth(coinPrice / 2n)} unit="USD" /> },
      ]}
    />
  )
}
