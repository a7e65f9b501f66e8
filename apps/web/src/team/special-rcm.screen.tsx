import { pageOf } from '@tizara/contract'
import { lastReferrals } from '@tizara/contract/team'
import { t, texts } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { call } from '../lib/http/api.ts'
import { readOr } from '../lib/lists/damaged-row.ts'
import { utcDay } from '../lib/format.ts'
import type { ListColumn } from '../lib/lists/list-columns.tsx'
import { Moment } from '../lib/moment.tsx'
import { type LoadPage, PagedList } from '../lib/lists/paged-list.tsx'
import { useProfile } from '../members/index.ts'
import { useWalletUnit } from '../wallets/index.ts'
import { Money } from '../ui/money.tsx'
import type { Precision } from '../ui/money-format.ts'
import { StatCard } from '../ui/stat-card.tsx'
import { depositsOf, type Month, monthOf, type SpecialReferral } from './special-rcm.rules.ts'
import { messages } from './team.messages.ts'
import { renamed, useTeamTotals } from './team.queries.ts'

type Row = SpecialReferral & { id?: string | undefined }

const STYLE: Readonly<Record<Month, string>> = { current: 'text-success', last: 'text-danger', older: '' }
const WORD: Readonly<Record<Month, string>> = texts({ current: 'this month', last: 'last month', older: '' })

/** UI-RCM-05, LS-45. */
const columns = texts<readonly ListColumn<Row>[]>('header', [
  { key: 'name', header: 'Name', phone: 'title', value: (row) => row.name },
  {
    key: 'email',
    header: 'Email',
    phone: 'second',
    value: (row) => row.email,
    cell: (row) => <span className="break-all">{row.email}</span>,
  },
  { key: 'joined', header: 'Join Date', value: (row) => row.createdAt },
  {
    key: 'deposits',
    header: 'Deposits',
    phone: 'amount',
    align: 'right',
    value: (row) =>
      depositsOf(row)
        .map(({ amount, createdAt }) => `${formatUnits(amount)} (${utcDay(createdAt)})`)
        .join('; '),
    cell: (row, _, precision) => <Deposits row={row} precision={precision} />,
  },
])

/** Green for the current UTC month, red for the last, each with a label (UI-RCM-06 to UI-RCM-09). */
function Deposits({ row, precision }: { row: Row; precision: Precision }) {
  const now = new Date()
  return (
    <ul>
      {depositsOf(row).map(({ key, amount, createdAt }) => {
        const month = monthOf(createdAt, now)
        return (
          <li key={key} className={STYLE[month]}>
            {WORD[month] !== '' && <span className="me-2 text-xs">{WORD[month]}</span>}
            <Money value={amount} unit="USD" decimals={precision} className="font-semi" />
          </li>
        )
      })}
    </ul>
  )
}

/** Loads a page. A failure stays in the state of the list, with the list's own message, and is not shown (UI-RCM-10, ER-64). */
const load: LoadPage<Row> = async (query, signal) => {
  try {
    const page = pageOf((await call(lastReferrals, { query, signal })).data)
    return { ...page, data: page.data.map((row) => Object.assign(row, { id: readOr(() => row.email, undefined) })) }
  } catch (thrown) {
    throw signal.aborted ? thrown : renamed(thrown, messages.referralsFailed)
  }
}

/** `/special-rcm` (UI-RCM rows). */
export default function SpecialRcmScreen() {
  const special = useProfile().data?.isSpecialRcm === true
  return (
    <PagedList
      title={t('Special Rcm')}
      subtitle={t('Stakes and purchases of your team, and your newest referrals. Months are UTC months.')}
      list={lastReferrals}
      load={load}
      columns={columns}
      details={(row) =>
        depositsOf(row).map(({ key, amount, createdAt }) => ({
          key,
          label: <Moment at={createdAt} time />,
          value: <Money value={amount} unit="USD" />,
        }))
      }
      emptyHint={special ? t('People you refer appear here.') : t('These figures and referrals are available to special members only.')}
    >
      <Totals />
    </PagedList>
  )
}

function Totals() {
  const { data, isPending } = useTeamTotals()
  const coin = useWalletUnit()('stakeWallet')
  const figures = [
    [t('Last month team stake'), data?.lastMonthStakeSumTotal, coin],
    [t('Current month team stake'), data?.currentMonthStakeSumTotal, coin],
    [t('Last month NFT purchases'), data?.lastMonthNFTSum, 'USD'],
    [t('Current month NFT purchases'), data?.currentMonthNFTSum, 'USD'],
  ] as const
  return (
    <div className="mb-5 grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {figures.map(([label, value, unit]) => (
        <StatCard
          key={label}
          size="sm"
          label={label}
          loading={isPending}
          value={value === undefined ? '–' : <Money value={value} unit={unit} tap />}
        />
      ))}
    </div>
  )
}
