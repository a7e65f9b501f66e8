import type { ReplyOf } from '@tizara/contract'
import type { publicOffer, trustPage } from '@tizara/contract/trust'
import { formatUnits } from '@tizara/money'
import { Link, useSearch } from 'wouter'
import { Moment } from '../lib/moment.tsx'
import { useAppConfig } from '../settings/index.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { assetUnit } from './asset-unit.ts'
import { StakeCalculator } from './stake-calculator.tsx'
import { useOffer, useTrust } from './trust.queries.ts'

type Offer = ReplyOf<typeof publicOffer>
type Trust = ReplyOf<typeof trustPage>

/** `/about`: what the platform is, its price, plans, reserves and risks, for visitors. */
export default function AboutScreen() {
  const { brandName, tokenSymbol } = useAppConfig()
  const offer = useOffer()
  const trust = useTrust()
  const code = new URLSearchParams(useSearch()).get('referralCode') ?? ''
  const signUp = code === '' ? '/auth/signup' : `/auth/signup?${new URLSearchParams({ referralCode: code })}`
  return (
    <>
      <PageHeader
        title={`How ${brandName} works`}
        subtitle={`You deposit USDT and buy ${tokenSymbol}. You can stake it for a fixed time, buy NFTs, transfer it and withdraw. Nothing here promises a gain.`}
        actions={
          <>
            <Link href={signUp} className={buttonClass('primary')}>
              Sign Up
            </Link>
            <Link href="/auth/signin" className={buttonClass('secondary')}>
              Sign In
            </Link>
          </>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {offer.data !== undefined && <Prices offer={offer.data} tokenSymbol={tokenSymbol} />}
        {offer.data !== undefined && offer.data.plans.length > 0 && (
          <StakeCalculator coinPrice={offer.data.coinPrice} plans={offer.data.plans} unit={tokenSymbol} />
        )}
        {(offer.isPending || trust.isPending) && <Skeleton className="h-64 w-full rounded-xl lg:col-span-2" />}
        {trust.data !== undefined && <Rewards trust={trust.data} tokenSymbol={tokenSymbol} />}
        <Risks tokenSymbol={tokenSymbol} />
        {trust.data !== undefined && <Reserves trust={trust.data} tokenSymbol={tokenSymbol} />}
      </div>
    </>
  )
}

function Prices({ offer, tokenSymbol }: { offer: Offer; tokenSymbol: string }) {
  return (
    <Card aria-labelledby="prices">
      <CardHeader id="prices" title="Price and plans" hint="These are the values now. They can change at any time." />
      <p className="text-2xl font-strong tracking-num">
        1 {tokenSymbol} = {formatUnits(offer.coinPrice)} USD
      </p>
      {offer.plans.length === 0 ? (
        <p className="mt-3 text-muted">No plan is open at the moment.</p>
      ) : (
        <ul className="mt-3 divide-y text-sm">
          {offer.plans.map((plan) => (
            <li key={plan.id} className="flex flex-wrap justify-between gap-x-4 py-2.5">
              <span className="min-w-0">
                <span className="block font-semi">{plan.planName}</span>
                <span className="block text-muted">
                  from <Money value={plan.minimum} unit={tokenSymbol} />
                </span>
              </span>
              <span className="text-right">
                <span className="block font-semi">{formatUnits(plan.apy)}% in all</span>
                <span className="block text-muted">over {plan.duration} days</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Shows the reward pool and how rewards are paid from it. */
function Rewards({ trust, tokenSymbol }: { trust: Trust; tokenSymbol: string }) {
  return (
    <Card aria-labelledby="rewards">
      <CardHeader id="rewards" title="How rewards are paid" />
      <p className="text-muted">
        Rewards are paid from a pool that the operator funds. If the pool is empty, a reward is recorded as owed. It is paid once the
        operator adds money, the oldest first. If the operator adds none, it is not paid.
      </p>
      {trust.rewardPool.map(({ asset, balance, promised, owed }) => (
        <DescriptionList
          key={asset}
          className="mt-3 border-t"
          rows={[
            { key: 'pool', label: 'In the pool', value: <Money value={balance} unit={assetUnit(asset, tokenSymbol)} /> },
            { key: 'promised', label: 'Promised for the future', value: <Money value={promised} unit={assetUnit(asset, tokenSymbol)} /> },
            { key: 'owed', label: 'Earned, not yet paid', value: <Money value={owed} unit={assetUnit(asset, tokenSymbol)} /> },
          ]}
        />
      ))}
    </Card>
  )
}

function Risks({ tokenSymbol }: { tokenSymbol: string }) {
  return (
    <Card aria-labelledby="risks">
      <CardHeader id="risks" title="What may go wrong" />
      <ul className="list-disc space-y-2 pl-5 text-muted">
        <li>The price of {tokenSymbol} can fall. You may get back less USD than you paid, or nothing.</li>
        <li>Rewards can be late or stop, because they depend on the pool.</li>
        <li>Staked {tokenSymbol} returns to you at the end of the plan, not before.</li>
        <li>The price of an NFT is not paid back.</li>
        <li>A withdrawal to a wrong address cannot be reversed.</li>
      </ul>
    </Card>
  )
}

function Reserves({ trust, tokenSymbol }: { trust: Trust; tokenSymbol: string }) {
  return (
    <Card aria-labelledby="reserves" className="lg:col-span-2">
      <CardHeader
        id="reserves"
        title="Reserves"
        hint={
          <>
            From the ledger on <Moment at={trust.at} time />
          </>
        }
      />
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {trust.reserves.map(({ asset, liabilities, books }) => (
          <DescriptionList
            key={asset}
            rows={[
              { key: 'owed', label: 'Owed to members', value: <Money value={liabilities} unit={assetUnit(asset, tokenSymbol)} /> },
              {
                key: 'books',
                label: asset === 'usd' ? 'Received and kept, by the books' : 'Issued and kept, by the books',
                value: <Money value={books} unit={assetUnit(asset, tokenSymbol)} />,
              },
            ]}
          />
        ))}
      </div>
    </Card>
  )
}
