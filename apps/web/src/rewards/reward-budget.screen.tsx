import type { ReplyOf } from '@tizara/contract'
import type { trustPage } from '@tizara/contract/trust'
import { t } from '@tizara/languages'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMonth } from '../lib/format.ts'
import { retryOf } from '../lib/http/query.ts'
import { useAppConfig } from '../settings/index.ts'
import { formatShare } from '../trust/format-share.ts'
import { useTrust } from '../trust/trust.queries.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton, SkeletonText } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { totalOf, totalsByMonth, usePromisedRewards } from './earnings.queries.ts'
import { T } from '../ui/t.tsx'

type Pool = ReplyOf<typeof trustPage>['rewardPool'][number]
type UnknownPool = Pick<Pool, 'asset'> & { readonly [Figure in Exclude<keyof Pool, 'asset'>]?: undefined }

/** `/reward-budget`: what pays for rewards, what is promised to the member, and what happens when the pool is short. */
export default function RewardBudgetScreen() {
  return (
    <>
      <PageHeader
        title={t('What pays for rewards')}
        subtitle={
          <T
            text="Your rewards so far are on the page <link>My earnings</link>."
            link={(content) => (
              <Link href="/earnings" className="link">
                {content}
              </Link>
            )}
          />
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <BudgetCard />
        <ShortageCard />
        <PromisedCard />
      </div>
    </>
  )
}

/** The pool's figures, the same as on `/trust`. */
function BudgetCard() {
  const read = useTrust()
  const { tokenSymbol } = useAppConfig()
  return (
    <Card aria-labelledby="budget">
      <CardHeader id="budget" title={t('The operator’s budget')} />
      <p>
        {t(
          'Rewards are paid out of the operator’s budget, the reward pool. Nothing else earns them: no trade and no investment pays for a reward.',
        )}
      </p>
      {read.data === undefined && read.error !== null ? (
        <EmptyState title={t('Data Not Found')} onRetry={retryOf(read)} />
      ) : (
        (read.data?.rewardPool ?? UNKNOWN_POOLS).map((pool) => (
          <PoolFigures key={pool.asset} pool={pool} unit={pool.asset === 'usd' ? 'USD' : tokenSymbol} />
        ))
      )}
      <p className="mt-4 text-sm text-muted">
        <T
          text="These figures come from the ledger. <link>Reserves and promises</link>"
          link={(content) => (
            <Link href="/trust" className="link">
              {content}
            </Link>
          )}
        />
      </p>
    </Card>
  )
}

/** Pools whose figures are loading. They take the room of the figures. */
const UNKNOWN_POOLS: readonly UnknownPool[] = [{ asset: 'usd' }, { asset: 'coin' }]

function PoolFigures({ pool: { asset, balance, promised, owed, coverage }, unit }: { pool: Pool | UnknownPool; unit: string }) {
  const money = (value: bigint | undefined) =>
    value === undefined ? <Skeleton className="inline-block h-3 w-28" /> : <Money value={value} unit={unit} />
  return (
    <>
      <h3 className="mt-4 font-semi">
        <T text="In {unit}" unit={unit} />
      </h3>
      <DescriptionList
        rows={[
          { key: `there ${asset}`, label: t('In the pool'), value: money(balance) },
          { key: `promised ${asset}`, label: t('Promised to all members'), value: money(promised) },
          { key: `owed ${asset}`, label: t('Earned, not yet paid'), value: money(owed) },
          coverage !== null && {
            key: `cover ${asset}`,
            label: t('The pool covers'),
            value: coverage === undefined ? money(coverage) : formatShare(coverage),
          },
        ]}
      />
    </>
  )
}

const ShortageCard = () => (
  <Card aria-labelledby="shortage">
    <CardHeader id="shortage" title={t('When the pool is short')} />
    <ul className="list-disc space-y-2 ps-5">
      <li>{t('A reward that the pool cannot pay is recorded as owed to you. It is not lost.')}</li>
      <li>{t('Owed rewards are paid, oldest first, as soon as the operator adds money to the pool. No date is promised.')}</li>
      <li>
        {t('Coin that you staked does not depend on the pool: it returns at the end of its plan. The price of an NFT is not paid back.')}
      </li>
    </ul>
  </Card>
)

function PromisedCard() {
  const read = usePromisedRewards()
  const { data } = read
  return (
    <Card padding="none" aria-labelledby="promised" className="overflow-hidden lg:col-span-2">
      <div className="px-4 pt-4">
        <CardHeader
          id="promised"
          title={t('Promised to you')}
          hint={t(
            'What your stakes and NFTs pay and your pending rewards, if nothing changes. Shares in rewards of your team come on top.',
          )}
          className="mb-2"
        />
      </div>
      {data === undefined ? (
        <div className="p-5">
          <Loading error={read.error} onRetry={retryOf(read)} />
        </div>
      ) : data.months.length + data.later.length === 0 ? (
        <EmptyState
          title={t('No promised rewards yet.')}
          text={t('A stake or an NFT promises rewards from its first day on.')}
          action={
            <Link href="/stack-coin" className={buttonClass('primary')}>
              {t('Choose a plan')}
            </Link>
          }
        />
      ) : (
        <PromisedTable data={data} />
      )}
    </Card>
  )
}

function PromisedTable({ data: { months, later } }: { data: NonNullable<ReturnType<typeof usePromisedRewards>['data']> }) {
  const { tokenSymbol } = useAppConfig()
  const all = [...months, ...later]
  const rows = [
    ...totalsByMonth(months).map(({ month, ...sums }) => ({ key: month, label: formatMonth(month), ...sums })),
    ...(later.length === 0 ? [] : [{ key: 'later', label: t('Later'), coin: totalOf(later, 'coin'), usd: totalOf(later, 'usd') }]),
    { key: 'all', label: t('In all'), coin: totalOf(all, 'coin'), usd: totalOf(all, 'usd') },
  ]
  const cell = (value: bigint): ReactNode => (
    <td className="text-end">
      <Money value={value} />
    </td>
  )
  return (
    <Table aria-labelledby="promised">
      <thead>
        <tr>
          <th scope="col">{t('Month')}</th>
          {([tokenSymbol, 'USD'] satisfies string[]).map((unit) => (
            <th key={unit} scope="col" className="text-end">
              {unit}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, coin, usd }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            {cell(coin)}
            {cell(usd)}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Loading({ error, onRetry }: { error: Error | null; onRetry: (() => void) | undefined }) {
  return error === null ? <SkeletonText lines={4} /> : <EmptyState title={t('Data Not Found')} onRetry={onRetry} />
}
