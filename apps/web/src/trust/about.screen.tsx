import type { ReplyOf } from '@tizara/contract'
import type { publicOffer, trustPage } from '@tizara/contract/trust'
import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { Link, useSearch } from 'wouter'
import { Moment } from '../lib/moment.tsx'
import { useAppConfig } from '../settings/index.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Money } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { assetUnit } from './asset-unit.ts'
import { StakeCalculator } from './stake-calculator.tsx'
import { useInviter, useOffer, useTrust } from './trust.queries.ts'
import { T } from '../ui/t.tsx'

type Offer = ReplyOf<typeof publicOffer>
type Trust = ReplyOf<typeof trustPage>

/** `/about`: what the platform is, its price, plans, reserves and risks, for visitors. */
export default function AboutScreen() {
  const { brandName, tokenSymbol } = useAppConfig()
  const offer = useOffer()
  const trust = useTrust()
  const code = new URLSearchParams(useSearch()).get('referralCode') ?? ''
  const firstName = useInviter(code)
  const signUp = code === '' ? '/auth/signup' : `/auth/signup?${new URLSearchParams({ referralCode: code })}`
  return (
    <>
      <PageHeader
        title={t('How {brandName} works', { brandName })}
        subtitle={t(
          'You deposit USDT and buy {tokenSymbol}. You can stake it for a fixed time, buy NFTs, transfer it and withdraw. Nothing here promises a gain.',
          { tokenSymbol },
        )}
        actions={
          <>
            <Link href={signUp} className={buttonClass('primary')}>
              {t('Sign Up')}
            </Link>
            <Link href="/auth/signin" className={buttonClass('secondary')}>
              {t('Sign In')}
            </Link>
          </>
        }
      />
      {firstName !== undefined && (
        <Notice className="mb-4">{t('{firstName} invites you. Sign up here to join the team of {firstName}.', { firstName })}</Notice>
      )}
      {offer.isPending || trust.isPending ? (
        // The cards appear together, so that none pushes another down.
        <Skeleton className="h-[60rem] w-full rounded-xl" />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {offer.data !== undefined && <Prices offer={offer.data} tokenSymbol={tokenSymbol} />}
          {offer.data !== undefined && offer.data.plans.length > 0 && (
            <StakeCalculator coinPrice={offer.data.coinPrice} plans={offer.data.plans} unit={tokenSymbol} />
          )}
          {trust.data !== undefined && <Rewards trust={trust.data} tokenSymbol={tokenSymbol} />}
          <Risks tokenSymbol={tokenSymbol} />
          {trust.data !== undefined && <Reserves trust={trust.data} tokenSymbol={tokenSymbol} />}
        </div>
      )}
    </>
  )
}

function Prices({ offer, tokenSymbol }: { offer: Offer; tokenSymbol: string }) {
  return (
    <Card aria-labelledby="prices">
      <CardHeader id="prices" title={t('Price and plans')} hint={t('These are the values now. They can change at any time.')} />
      <p className="text-2xl font-strong tracking-num">
        <T text="1 {tokenSymbol} = {coinPrice} USD" tokenSymbol={tokenSymbol} coinPrice={formatUnits(offer.coinPrice)} />
      </p>
      {offer.plans.length === 0 ? (
        <p className="mt-3 text-muted">{t('No plan is open at the moment.')}</p>
      ) : (
        <ul className="mt-3 divide-y text-sm">
          {offer.plans.map((plan) => (
            <li key={plan.id} className="flex flex-wrap justify-between gap-x-4 py-2.5">
              <span className="min-w-0">
                <span className="block font-semi">{plan.planName}</span>
                <span className="block text-muted">
                  <T text="from {money}" money={<Money value={plan.minimum} unit={tokenSymbol} />} />
                </span>
              </span>
              <span className="text-end">
                <span className="block font-semi">
                  <T text="{apy}% in all" apy={formatUnits(plan.apy)} />
                </span>
                <span className="block text-muted">
                  <T text="over {duration} days" duration={plan.duration} />
                </span>
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
      <CardHeader id="rewards" title={t('How rewards are paid')} />
      <p className="text-muted">
        {t(
          'Rewards are paid from a pool that the operator funds. If the pool is empty, a reward is recorded as owed. It is paid once the operator adds money, the oldest first. If the operator adds none, it is not paid.',
        )}
      </p>
      {trust.rewardPool.map(({ asset, balance, promised, owed }) => (
        <DescriptionList
          key={asset}
          className="mt-3 border-t"
          rows={[
            { key: 'pool', label: t('In the pool'), value: <Money value={balance} unit={assetUnit(asset, tokenSymbol)} /> },
            {
              key: 'promised',
              label: t('Promised for the future'),
              value: <Money value={promised} unit={assetUnit(asset, tokenSymbol)} />,
            },
            { key: 'owed', label: t('Earned, not yet paid'), value: <Money value={owed} unit={assetUnit(asset, tokenSymbol)} /> },
          ]}
        />
      ))}
    </Card>
  )
}

function Risks({ tokenSymbol }: { tokenSymbol: string }) {
  return (
    <Card aria-labelledby="risks">
      <CardHeader id="risks" title={t('What may go wrong')} />
      <ul className="list-disc space-y-2 ps-5 text-muted">
        <li>
          <T text="The price of {tokenSymbol} can fall. You may get back less USD than you paid, or nothing." tokenSymbol={tokenSymbol} />
        </li>
        <li>{t('Rewards can be late or stop, because they depend on the pool.')}</li>
        <li>
          <T text="Staked {tokenSymbol} returns to you at the end of the plan, not before." tokenSymbol={tokenSymbol} />
        </li>
        <li>{t('The price of an NFT is not paid back.')}</li>
        <li>{t('A withdrawal to a wrong address cannot be reversed.')}</li>
      </ul>
    </Card>
  )
}

function Reserves({ trust, tokenSymbol }: { trust: Trust; tokenSymbol: string }) {
  return (
    <Card aria-labelledby="reserves" className="lg:col-span-2">
      <CardHeader
        id="reserves"
        title={t('Reserves')}
        hint={<T text="From the ledger on {moment}" moment={<Moment at={trust.at} time />} />}
      />
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {trust.reserves.map(({ asset, liabilities, books }) => (
          <DescriptionList
            key={asset}
            rows={[
              { key: 'owed', label: t('Owed to members'), value: <Money value={liabilities} unit={assetUnit(asset, tokenSymbol)} /> },
              {
                key: 'books',
                label: asset === 'usd' ? t('Received and kept, by the books') : t('Issued and kept, by the books'),
                value: <Money value={books} unit={assetUnit(asset, tokenSymbol)} />,
              },
            ]}
          />
        ))}
      </div>
    </Card>
  )
}
