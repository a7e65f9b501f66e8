import { t } from '@tizara/languages'
import type { Units } from '@tizara/money'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useProfile } from '../members/index.ts'
import { useAppConfig } from '../settings/index.ts'
import { Money } from '../ui/money.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { useHomeCount } from '../wallets/index.ts'
import { dashboardMessages as text } from './dashboard.messages.ts'
import { useDirectReferrals, useLevelReward, useTotalDeposit } from './dashboard.queries.ts'

interface Stat {
  label: string
  value: ReactNode
  /** What the figure contains, where the label does not say it. */
  contains?: string
  loading: boolean
}

interface Answer<T> {
  data: T | undefined
  isError: boolean
}

const count = (label: string, { data, isError }: Answer<number>): Stat => ({
  label,
  value: data === undefined ? '–' : data.toLocaleString('en-US'),
  loading: data === undefined && !isError,
})

const money = (label: string, unit: string, { data, isError }: Answer<Units>): Stat => ({
  label,
  value: data === undefined ? '–' : <Money value={data} unit={unit} tap />,
  loading: data === undefined && !isError,
})

/** Team and reward figures (UI-DASH-19 to UI-DASH-29); unavailable ones show a dash. */
export function StatRow() {
  const { tokenSymbol } = useAppConfig()
  const profile = useProfile()
  const home = useHomeCount()
  const homeSum = (pick: (data: NonNullable<typeof home.data>) => Units): Answer<Units> => ({
    data: home.data && pick(home.data),
    isError: home.isError,
  })
  const stats: Stat[] = [
    count(text.myTeam, { data: profile.data?.referralCount, isError: profile.isError }),
    count(text.directRefer, useDirectReferrals()),
    money(text.totalDeposit, 'USD', useTotalDeposit()),
    money(text.levelReward, tokenSymbol, useLevelReward()),
    {
      ...money(
        text.totalReward,
        tokenSymbol,
        homeSum((sums) => sums.dailyBonusCount),
      ),
      contains: t('Daily rewards'),
    },
    money(
      text.refferalBonus,
      tokenSymbol,
      homeSum((sums) => sums.transactionHistoryCount),
    ),
    money(
      text.omegaReward,
      tokenSymbol,
      homeSum((sums) => sums.dailyStakeLogsBonus),
    ),
  ]
  return (
    <section aria-labelledby="team-heading">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id="team-heading" className="text-md font-strong tracking-head">
          {t('Team and rewards')}
        </h2>
        <Link href="/roi-history" className="link text-sm">
          {t('Reward history')}
        </Link>
      </div>
      <div className="grid grid-cols-2 gap-3.5 sm:grid-cols-4 xl:grid-cols-7">
        {stats.map(({ label, value, contains, loading }, index) => (
          <StatCard
            key={label}
            size="sm"
            label={label}
            value={value}
            sub={contains}
            loading={loading}
            className={index === 6 ? 'max-xl:col-span-2 max-sm:col-span-2' : undefined}
          />
        ))}
      </div>
    </section>
  )
}
