import type { ReplyOf } from '@tizara/contract'
import type { trustPage } from '@tizara/contract/trust'
import type { Asset } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'
import { formatFixed, type Units } from '@tizara/money'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { Moment } from '../lib/moment.tsx'
import { useAppConfig } from '../settings/index.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money } from '../ui/money.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ProgressBar } from '../ui/progress.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { assetUnit } from './asset-unit.ts'
import { ProofCard } from './proof-card.tsx'
import { formatShare, HUNDRED_PERCENT } from './format-share.ts'
import { ChainReservesCard, MeaningCard, PublishedCard, InvalidHistoryCard } from './published-cards.tsx'
import type { CheckedHistory } from './read-history.ts'
import { useCheckedHistory, useTrust } from './trust.queries.ts'
import { T } from '../ui/t.tsx'

/** Loads the chart's code after the figures. */
const Forecast = lazy(async () => ({ default: (await import('./forecast.tsx')).Forecast }))

const HistoryChart = lazy(async () => ({ default: (await import('./history-chart.tsx')).HistoryChart }))

type Trust = ReplyOf<typeof trustPage>

/** `/trust`: the platform's liabilities and reserves. */
export default function TrustScreen() {
  const { data, isPending } = useTrust()
  const history = useCheckedHistory()
  const { tokenSymbol } = useAppConfig()
  const unitOf = (asset: Asset): string => assetUnit(asset, tokenSymbol)
  return (
    <>
      <PageHeader
        title={t('Reserves and promises')}
        subtitle={
          data === undefined && !isPending ? (
            t('From the ledger.')
          ) : (
            <T
              text="From the ledger on {moment}. Nothing here promises a gain. <link>What pays for rewards</link>"
              moment={data === undefined ? <Skeleton className="inline-block h-3 w-40" /> : <Moment at={data.at} time />}
              link={(content) => (
                <Link href="/reward-budget" className="link">
                  {content}
                </Link>
              )}
            />
          )
        }
      />
      {isPending || (history.isPending && history.failureCount === 0) ? (
        <div className="grid gap-4 lg:grid-cols-2" aria-busy="true">
          {Array.from({ length: 4 }, (_, i) => (
            <Card key={i}>
              <Skeleton className="h-5 w-32" />
              <Skeleton className="mt-6 h-24 w-full" />
            </Card>
          ))}
        </div>
      ) : data === undefined ? (
        <Card>
          <EmptyState title={t('Data Not Found')} />
        </Card>
      ) : (
        <Figures data={data} history={history.data} unitOf={unitOf} />
      )}
    </>
  )
}

/** Rates coverage: full, short, or nothing to cover. */
function verdict(ratio: Units | null): { tone: Tone; word: string } {
  if (ratio === null) return { tone: 'neutral', word: t('Nothing owed') }
  return ratio >= HUNDRED_PERCENT ? { tone: 'success', word: t('Covered') } : { tone: 'danger', word: t('Not covered') }
}

interface FiguresProps {
  data: Trust
  history: CheckedHistory | undefined
  unitOf: (asset: Asset) => string
}

function Figures({ data, history, unitOf }: FiguresProps) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {history && <Published history={history} unitOf={unitOf} />}
      {data.reserves.map(({ asset, wallets, holds, earned, liabilities, books }) => (
        <Card key={`now ${asset}`} aria-labelledby={`now-${asset}`}>
          <CardHeader
            id={`now-${asset}`}
            title={t('Balances in {unit}, now', { unit: unitOf(asset) })}
            hint={t('From the ledger, at this moment')}
          />
          <DescriptionList
            rows={[
              { key: 'wallets', label: t('In wallets'), value: <Money value={wallets} unit={unitOf(asset)} /> },
              { key: 'holds', label: t('On hold'), value: <Money value={holds} unit={unitOf(asset)} /> },
              { key: 'earned', label: t('Earned, not yet paid'), value: <Money value={earned} unit={unitOf(asset)} /> },
              { key: 'owed', label: t('Owed to members'), value: <Money value={liabilities} unit={unitOf(asset)} /> },
              {
                key: 'books',
                label: asset === 'usd' ? t('Received and kept, by the books') : t('Issued and kept, by the books'),
                value: <Money value={books} unit={unitOf(asset)} />,
              },
            ]}
          />
        </Card>
      ))}
      {data.rewardPool.map(({ asset, coverage, balance, promised, owed }) => (
        <Cover
          key={`pool ${asset}`}
          id={`pool-${asset}`}
          title={t('Reward pool in {unit}', { unit: unitOf(asset) })}
          hint={t('Anything it cannot pay is recorded as owed')}
          ratio={coverage}
        >
          <DescriptionList
            rows={[
              { key: 'balance', label: t('In the pool'), value: <Money value={balance} unit={unitOf(asset)} /> },
              { key: 'promised', label: t('Promised for the future'), value: <Money value={promised} unit={unitOf(asset)} /> },
              { key: 'owed', label: t('Earned, not yet paid'), value: <Money value={owed} unit={unitOf(asset)} /> },
            ]}
          />
        </Cover>
      ))}
      {(['coin', 'usd'] as const).map((asset) => {
        const items = data.forecast.filter((item) => item.asset === asset)
        if (items.length === 0) return null
        return (
          <Card key={`forecast ${asset}`} aria-labelledby={`forecast-${asset}`} className="flex flex-col justify-between">
            <CardHeader
              id={`forecast-${asset}`}
              title={t('Promised by month, in {unit}', { unit: unitOf(asset) })}
              hint={t('An estimate: what running stakes and NFTs pay if nothing changes')}
            />
            <Suspense fallback={<Skeleton className="h-64 w-full rounded-lg" />}>
              <Forecast items={items} unit={unitOf(asset)} />
            </Suspense>
          </Card>
        )
      })}
      {data.ledger && (
        <Card aria-labelledby="ledger" className="lg:col-span-2">
          <CardHeader
            id="ledger"
            title={t('Ledger check')}
            badge={
              <Badge tone={data.ledger.ok ? 'success' : 'danger'}>
                {data.ledger.ok ? t('Every account adds up') : t('An account does not add up')}
              </Badge>
            }
          />
          <DescriptionList
            rows={[
              { key: 'at', label: t('Checked'), value: <Moment at={data.ledger.at} time /> },
              { key: 'transfers', label: t('Transfers'), value: data.ledger.transfers.toLocaleString('en-US') },
            ]}
          />
        </Card>
      )}
    </div>
  )
}

/** Shows the newest published day, its check and the days before. All figures come from the checked history. */
function Published({ history, unitOf }: { history: CheckedHistory; unitOf: (asset: Asset) => string }) {
  const [statement, before] = history.statements.toReversed()
  const row = history.rows.at(-1)
  if (history.error !== null)
    return (
      <>
        <InvalidHistoryCard error={history.error} />
        <ProofCard history={history} unitOf={unitOf} />
      </>
    )
  if (statement === undefined || row === undefined) return null
  return (
    <>
      <PublishedCard statement={statement} before={before} unitOf={unitOf} />
      <ChainReservesCard statement={statement} before={before} unitOf={unitOf} />
      <ProofCard history={history} unitOf={unitOf} />
      <MeaningCard rows={history.rows} published={row} seenBefore={history.seenBefore} />
      {history.statements.length > 1 &&
        (['usd', 'coin'] as const).map((asset) => (
          <Card key={`history ${asset}`} aria-labelledby={`history-${asset}`}>
            <CardHeader id={`history-${asset}`} title={t('Published days, in {unit}', { unit: unitOf(asset) })} />
            <Suspense fallback={<Skeleton className="h-64 w-full rounded-lg" />}>
              <HistoryChart statements={history.statements} asset={asset} unit={unitOf(asset)} />
            </Suspense>
          </Card>
        ))}
    </>
  )
}

interface CoverProps {
  id: string
  title: string
  hint: string
  ratio: Units | null
  children: ReactNode
}

/** Shows a sum and its coverage. */
function Cover({ id, title, hint, ratio, children }: CoverProps) {
  const { tone, word } = verdict(ratio)
  const covered = ratio === null ? null : formatShare(ratio)
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title} hint={hint} badge={<Badge tone={tone}>{word}</Badge>} />
      {ratio !== null && covered !== null && (
        <div className="mb-3">
          <p className="mb-2 text-2xl font-strong tracking-num">{covered}</p>
          <ProgressBar
            label={t('{title}: covered', { title })}
            value={ratio >= HUNDRED_PERCENT ? 100 : Number(formatFixed(ratio, 1))}
            valueText={covered}
            tone={tone === 'danger' ? 'danger' : 'success'}
          />
        </div>
      )}
      {children}
    </Card>
  )
}
