import type { StakePlan } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { CoinElsewhere, useExchangeDialog } from '../transfers/index.ts'
import { readTyped, useWallets, useWalletUnit, walletColor, walletNames } from '../wallets/index.ts'
import { AmountInput } from '../ui/amount-input.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { retryOf } from '../lib/http/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { DamagedNote } from '../lib/lists/damaged-note.tsx'
import { Field } from '../ui/field.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { PlanCard, PlanCardSkeleton } from './plan-card.tsx'
import { PlanField } from './plan-field.tsx'
import { RunningStakes } from './running-stakes.tsx'
import { useActivePlans, useRunningStakes } from './staking.queries.ts'
import { T } from '../ui/t.tsx'

const OpenStakeDialog = lazy(() => import('./open-stake.dialog.tsx').then((file) => ({ default: file.OpenStakeDialog })))
const Projection = lazy(() => import('./projection.tsx').then((file) => ({ default: file.Projection })))

/** The page's wallets (UI-STAKE-02). */
const shownWallets = ['nativeWallet', 'icoWallet', 'stakeWallet'] as const

/** Initial amount in the estimate. */
const EXAMPLE = '1000'

/** `/stack-coin` (UI-STAKE rows). */
export default function StakeNowScreen() {
  const { data: balances, errorUpdateCount } = useWallets()
  // After an error the parts below stay shown: hiding them while they load the balances again would never end.
  const walletsPending = balances === undefined && errorUpdateCount === 0
  const { data: plans, damaged, isPending, query } = useActivePlans()
  const running = useRunningStakes()
  const unit = useWalletUnit()('stakeWallet')
  const [own, setOwn] = useState<string>()
  const typed = own ?? EXAMPLE
  const [chosen, setChosen] = useState<StakePlan>()
  const amount = readTyped(typed, 'coin')
  const exchange = useExchangeDialog({ startsOpen: new URLSearchParams(useSearch()).get('from') === 'ico' })

  return (
    <>
      <PageHeader title={t('Stake Now')} subtitle={t('Lock coin for a fixed term. It earns every day and comes back at the end.')} />
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3 sm:gap-4">
        {shownWallets.map((wallet) => (
          <StatCard
            key={wallet}
            size="sm"
            mark={walletColor(wallet)}
            label={walletNames[wallet]}
            loading={walletsPending}
            value={balances === undefined ? '–' : <Money value={balances[wallet]} unit={unit} tap />}
          />
        ))}
      </div>
      {walletsPending ? (
        // The plans wait for the balances: the note about coin in another wallet above them would push them down.
        <Skeleton className="mt-8 h-[60rem] w-full rounded-xl" />
      ) : (
        <>
          <div className="mt-4">
            <CoinElsewhere onTransfer={exchange.open} />
          </div>

          <section aria-labelledby="plans" className="mt-8">
            <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
              <div>
                <h2 id="plans" className="text-lg font-strong tracking-head">
                  {t('Plans')}
                </h2>
                <p className="text-sm text-muted">{t('Enter an amount to compare the plans.')}</p>
              </div>
              <Field
                label={t('Try an amount')}
                className="w-full sm:w-64"
                error={amount === null && typed.trim() !== '' ? t('Enter digits and a dot, such as 12.5') : undefined}
              >
                <AmountInput
                  name="try"
                  value={typed}
                  unit={unit}
                  blockedKeys={['e', '+', '-']}
                  onChange={(event) => setOwn(event.target.value)}
                />
              </Field>
            </div>
            {!(plans?.length === 0 && damaged.length > 0) && (
              <PlanGrid plans={plans} loading={isPending} onRetry={retryOf(query)} unit={unit} amount={amount} onStake={setChosen} />
            )}
            <DamagedNote rows={damaged} nameOf={(plan) => plan.planName} />
          </section>

          {plans !== undefined && plans.length > 0 && <Estimator plans={plans} amount={amount} unit={unit} />}
          {running !== undefined && running.length > 0 && (
            <div className="mt-4">
              <RunningStakes stakes={running} unit={unit} />
            </div>
          )}
          <p className="mt-8 text-sm text-muted">
            <T
              text="Rewards are paid from a pool. <link>Reserves and promises</link>"
              link={(content) => (
                <Link href="/trust" className="link">
                  {content}
                </Link>
              )}
            />
          </p>
        </>
      )}
      {exchange.dialog}
      {chosen && (
        <Suspense fallback={null}>
          <OpenStakeDialog key={chosen.id} plan={chosen} amount={own} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

interface PlanGridProps {
  plans: readonly StakePlan[] | undefined
  loading: boolean
  /** Set if the plans did not load. */
  onRetry: (() => void) | undefined
  unit: string
  amount: bigint | null
  onStake: (plan: StakePlan) => void
}

function PlanGrid({ plans, loading, onRetry, unit, amount, onStake }: PlanGridProps) {
  if (!loading && (plans === undefined || plans.length === 0)) {
    return (
      <Card>
        <EmptyState
          title={t('Data Not Found')}
          text={plans && t('No plan is open at the moment. Plans that open appear here.')}
          onRetry={onRetry}
        />
      </Card>
    )
  }
  return (
    <div className="grid gap-4 [grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr))]" aria-busy={loading || undefined}>
      {plans === undefined
        ? Array.from({ length: 3 }, (_, i) => <PlanCardSkeleton key={i} />)
        : plans.map((plan) => <PlanCard key={plan.id} plan={plan} unit={unit} amount={amount} onStake={() => onStake(plan)} />)}
    </div>
  )
}

function Estimator({ plans, amount, unit }: { plans: readonly StakePlan[]; amount: bigint | null; unit: string }) {
  const [planId, setPlanId] = useState('')
  const plan = plans.find((one) => one.id === planId) ?? plans[0]
  return (
    <Card className="mt-4" aria-labelledby="estimate">
      <CardHeader
        id="estimate"
        title={t('Estimate')}
        hint={t('An estimate, not a promise. Rewards come from a pool. If it runs short, they are paid later.')}
        action={
          <div className="w-60 max-w-full">
            <PlanField labelHidden plans={plans} value={plan?.id ?? ''} onChange={setPlanId} />
          </div>
        }
      />
      {plan === undefined || amount === null || amount === 0n ? (
        <p className="rounded-lg bg-raised px-4 py-8 text-center text-sm text-muted">{t('Enter an amount above to see the chart.')}</p>
      ) : (
        <Suspense fallback={<Skeleton className="h-72 w-full" />}>
          <Projection plan={plan} amount={amount} unit={unit} />
        </Suspense>
      )}
    </Card>
  )
}
