import type { ReplyOf } from '@tizara/contract'
import type { upcoming } from '@tizara/contract/staking'
import { t } from '@tizara/languages'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatDate, formatUtc } from '../lib/format.ts'
import { PHONE, useMedia } from '../lib/use-media.ts'
import { useAppConfig } from '../settings/index.ts'
import { buttonClass } from '../ui/button-class.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { Timeline, type TimelineItem } from '../ui/charts/timeline.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { OpenPayouts } from '../withdrawals/index.ts'
import { CalendarDialog } from './calendar.dialog.tsx'
import { useUpcoming } from './dashboard.queries.ts'

type Due = ReplyOf<typeof upcoming>['items'][number]

const SHOWN = 6
/** On phones the panel is above the wallets and shorter. */
const SHOWN_ON_PHONES = 3
const DAY_MS = 86_400_000

const dayOf = (moment: Date): number => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()

/** Formats `Today`, `Tomorrow`, else day and month. */
function whenText(at: Date, now: Date): string {
  const days = Math.round((dayOf(at) - dayOf(now)) / DAY_MS)
  if (days <= 0) return t('Today')
  return days === 1 ? t('Tomorrow') : formatDate(at).slice(0, 6)
}

const tones: Readonly<Record<Due['kind'], TimelineItem['tone']>> = {
  'daily-reward': 'accent',
  'stake-log-reward': 'accent',
  'nft-reward': 'accent',
  maturity: 'success',
  release: 'warning',
}

/** Returns the soonest items. Reserves the last one for the next maturity or release, which daily rewards would displace. */
function soonest(items: readonly Due[], shown: number): readonly Due[] {
  const first = items.slice(0, shown)
  const isLarge = ({ kind }: Due) => kind === 'release' || kind === 'maturity'
  const large = first.some(isLarge) ? undefined : items.find(isLarge)
  return large === undefined ? first : [...first.slice(0, -1), large]
}

/**
 * Shows upcoming items with a personal calendar. If the server lacks the call, it is hidden. On phones it keeps its place, so that the
 * wallets below do not move.
 */
export function NextPanel() {
  const { data, isError } = useUpcoming()
  const [now] = useState(() => new Date())
  const [calendar, setCalendar] = useState(false)
  const { tokenSymbol } = useAppConfig()
  const isPhone = useMedia(PHONE, false)
  if (isError)
    return isPhone ? (
      <Card aria-labelledby="next-heading">
        <CardHeader id="next-heading" title={t('Next for you')} />
        <OpenPayouts />
        <p className="text-sm text-faint">{t('Upcoming rewards are not available.')}</p>
      </Card>
    ) : null
  const items =
    data &&
    soonest(data.items, isPhone ? SHOWN_ON_PHONES : SHOWN).map((item, index) => ({
      key: `${index}-${item.kind}`,
      when: <span title={formatUtc(item.at)}>{whenText(item.at, now)}</span>,
      dateTime: item.at.toISOString(),
      title: t(item.label),
      value: <Money value={item.amount} unit={item.asset === 'usd' ? 'USD' : tokenSymbol} />,
      filled: dayOf(item.at) <= dayOf(now),
      tone: tones[item.kind],
    }))
  return (
    <Card aria-labelledby="next-heading">
      <CardHeader
        id="next-heading"
        title={t('Next for you')}
        hint={t('Estimates from your current stakes')}
        className="mb-1"
        action={
          items !== undefined &&
          items.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              className="max-sm:-ms-2.5 sm:-me-2.5"
              icon={<CalendarPlus size={14} aria-hidden="true" />}
              onClick={() => setCalendar(true)}
            >
              {t('Add to calendar')}
            </Button>
          )
        }
      />
      <OpenPayouts />
      {items === undefined ? (
        <div className="space-y-[26px] py-4" aria-hidden="true">
          {Array.from({ length: 5 }, (_, line) => (
            <Skeleton key={line} className="h-4 w-full" />
          ))}
        </div>
      ) : items.length === 0 ? (
        <EmptyState
          title={t('Nothing is due yet')}
          text={t('Rewards and maturities of your stakes appear here by day. Open a stake to get started.')}
          action={
            <Link href="/stack-coin" className={buttonClass('secondary', 'sm')}>
              {t('See the stake plans')}
            </Link>
          }
        />
      ) : (
        <Timeline label={t('Next for you')} items={items} />
      )}
      <CalendarDialog open={calendar} onClose={() => setCalendar(false)} />
    </Card>
  )
}
