import Plus from 'lucide-react/icons/plus'
import Pencil from 'lucide-react/icons/pencil'
import type { ReactNode } from 'react'
import { exactAmount, formatAmount } from '../../../ui/money-format.ts'
import { Amount } from '../../kit/amount.tsx'
import { Panel } from '../../kit/panel.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { asText, type Catalogue, type FormField, NFT_FIELDS, type Offer, PLAN_FIELDS } from './offers.ts'
import { Pending } from './pending.tsx'
import { type Head, Heads } from '../../kit/heads.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Meter } from '../../../ui/meter.tsx'

interface PanelProps {
  catalogue: Catalogue
  may: boolean
  onOffer: (offer: Offer) => void
}

/** How one kind of offer is named, proposed and shown. */
interface OfferKind<Row> {
  subject: 'plan' | 'nft'
  title: string
  className?: string
  /** `plan`, `NFT`. */
  one: string
  fields: readonly FormField[]
  /** Initial form values of a new offer. */
  blank: Readonly<Record<string, string>>
  rows: (catalogue: Catalogue) => readonly Row[]
  name: (row: Row) => string
  /** Shown after the name. */
  mark: (row: Row) => ReactNode
  columns: readonly { head: string; isNumber?: boolean; cell: (row: Row) => ReactNode }[]
}

/** Paused: not sold any more, though some still run. */
const OnSale = ({ status, runs = false }: { status: string; runs?: boolean }) => (
  <Badge tone={status === 'ACTIVE' ? 'success' : runs ? 'warning' : 'neutral'}>
    {status === 'ACTIVE' ? 'Yes' : runs ? 'Paused' : 'No'}
  </Badge>
)

/** Shows the number of running stakes and their total. */
function Running({ of }: { of: { stakes: number; coin: bigint } }) {
  return (
    <span>
      {of.stakes.toLocaleString('en-US')}
      {of.stakes > 0 && (
        <span className="block text-xs text-muted">
          <Amount asset="coin" value={of.coin} decimals={0} />
        </span>
      )}
    </span>
  )
}

const PLANS: OfferKind<Catalogue['plans'][number]> = {
  subject: 'plan',
  title: 'Stake plans',
  className: 'lg:col-span-7',
  one: 'plan',
  fields: PLAN_FIELDS,
  blank: { planName: '', duration: '', minimum: '', apy: '', omega: 'no', status: 'ACTIVE' },
  rows: (catalogue) => catalogue.plans,
  name: (plan) => plan.planName,
  mark: (plan) => plan.omega === true && <Tag>Omega</Tag>,
  columns: [
    { head: 'Days', isNumber: true, cell: (plan) => plan.duration },
    // Some amounts have no decimals to show.
    { head: 'Minimum, coin', isNumber: true, cell: (plan) => formatAmount(plan.minimum, 0) },
    { head: 'Total reward', isNumber: true, cell: (plan) => `${exactAmount(asText(plan.apy), 1)} %` },
    { head: 'Running', isNumber: true, cell: ({ running }) => running !== undefined && <Running of={running} /> },
    { head: 'On sale', cell: (plan) => <OnSale status={plan.status} runs={(plan.running?.stakes ?? 0) > 0} /> },
  ],
}

type Nft = Catalogue['nfts'][number]

const NFTS: OfferKind<Nft> = {
  subject: 'nft',
  title: 'NFTs',
  one: 'NFT',
  fields: NFT_FIELDS,
  blank: { name: '', title: '', walletName: 'dome', price: '', duration: '', dailyRoi: '', status: 'ACTIVE' },
  rows: (catalogue) => catalogue.nfts,
  name: (nft) => nft.name,
  mark: (nft) => nft.status !== 'ACTIVE' && <OnSale status={nft.status} />,
  columns: [
    { head: 'USD', isNumber: true, cell: (nft) => formatAmount(nft.price) },
    { head: 'Total reward', isNumber: true, cell: (nft) => `${asText(nft.dailyRoi)} %` },
    { head: 'Sold of its kind', cell: (nft) => <SoldOf nft={nft} /> },
  ],
}

function SoldOf({ nft }: { nft: Nft }) {
  const cap = nft.quantity + (nft.remaining ?? 0)
  return (
    <span className="text-xs">
      {nft.quantity.toLocaleString('en-US')} of {cap.toLocaleString('en-US')}
      <Meter percent={cap === 0 ? 0 : (nft.quantity / cap) * 100} />
    </span>
  )
}

/** Lists open and closed staking plans. */
export const PlanPanel = (props: PanelProps) => <OfferPanel {...props} sold={PLANS} />
/** Lists NFTs on sale and closed ones. */
export const NftPanel = (props: PanelProps) => <OfferPanel {...props} sold={NFTS} />

function OfferPanel<Row extends { id: string }>({ catalogue, may, onOffer, sold }: PanelProps & { sold: OfferKind<Row> }) {
  const { subject, title, className, one, fields, blank, name, mark, columns } = sold
  const rows = sold.rows(catalogue)
  const planned = newOnes(catalogue, subject)
  const offer = { subject, fields, whole: true } as const
  const currentOf = (row: Row) => Object.fromEntries(fields.map(({ key }) => [key, asText(Reflect.get(row, key))]))
  return (
    <Panel
      title={title}
      className={className}
      right={
        may && (
          <Button
            size="sm"
            icon={<Plus size={14} aria-hidden="true" />}
            onClick={() => onOffer({ ...offer, title: `New ${one}`, current: blank })}
          >
            New {one}
          </Button>
        )
      }
    >
      <Table dense folds>
        <Heads
          columns={[
            one === 'plan' ? 'Plan' : one,
            ...columns.map(({ head, isNumber }): Head => (isNumber === true ? [head, 'num'] : head)),
            ['Planned', 'sr'],
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" className="font-semi">
                {plain(name(row))} {mark(row)}
              </th>
              {columns.map(({ head, isNumber, cell }) => (
                <td key={head} data-label={head} className={isNumber === true ? 'text-right whitespace-nowrap' : undefined}>
                  {cell(row)}
                </td>
              ))}
              <td className="text-right whitespace-nowrap">
                <Pending of={catalogue.decisions?.[`${subject} ${row.id}`]} />
                {may && (
                  <Button
                    variant="ghost"
                    size="sm"
                    icon={<Pencil size={14} aria-hidden="true" />}
                    aria-label={`Propose: ${name(row)}`}
                    onClick={() => onOffer({ ...offer, title: name(row), current: currentOf(row), ids: { [`${subject}Id`]: row.id } })}
                  >
                    Propose
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {planned.length > 0 && <p className="px-4 pt-3 pb-4">{planned}</p>}
      {rows.length === 0 && planned.length === 0 && (
        <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink">No {one} yet</p>
      )}
    </Panel>
  )
}

/** Shows proposed or planned offers that do not exist yet. */
function newOnes({ decisions = {}, plans, nfts }: Catalogue, subject: 'plan' | 'nft') {
  const known = new Set([...plans, ...nfts].map((one) => `${subject} ${one.id}`))
  return Object.entries(decisions)
    .filter(([key]) => key.startsWith(`${subject} `) && !known.has(key))
    .map(([key, of]) => <Pending key={key} of={of} />)
}
