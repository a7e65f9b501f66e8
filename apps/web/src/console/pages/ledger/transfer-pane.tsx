import type { ReplyOf } from '@tizara/contract'
import { staffLedgerTransfer } from '@tizara/contract/staff-ledger'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { toApiError } from '../../../lib/http/api.ts'
import { formatUtc } from '../../../lib/format.ts'
import { Money } from '../../../ui/money.tsx'
import { Amount } from '../../kit/amount.tsx'
import { RowSkeleton } from '../../kit/list-parts.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { ReceiptPart } from './receipt-part.tsx'
import { ReversalPart } from './reversal.tsx'
import { Pane, PaneBar, PaneSection } from '../../../ui/split.tsx'
import { FactList } from '../../../ui/fact-list.tsx'

type Transfer = ReplyOf<typeof staffLedgerTransfer>

/** Shows a transfer: both sides, its cause and related transfers. */
export function TransferPane({ id, onOpen }: { id: string; onOpen: (number: string, id: string) => void }) {
  const { data, error } = useQuery(watch(staffLedgerTransfer, { params: { id } }))
  return (
    <Pane as="aside" aria-label="Transfer">
      <PaneBar>
        <h2 className="font-semi">Transfer</h2>
        <span className="font-mono text-xs">{id}</span>
        {data !== undefined && (
          <span className="text-xs text-faint ml-auto" title={utcAndLocal(data.at)}>
            {formatUtc(data.at)}
          </span>
        )}
      </PaneBar>
      <div className="min-h-0 flex-1 md:overflow-auto">
        {error !== null && (
          <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink" role="alert">
            <b>Transfer not found</b>
            <span>{toApiError(error).message}</span>
          </p>
        )}
        {data === undefined ? error === null && <RowSkeleton /> : <Details transfer={data} onOpen={onOpen} />}
      </div>
    </Pane>
  )
}

function Details({ transfer, onOpen }: { transfer: Transfer; onOpen: (number: string, id: string) => void }) {
  return (
    <>
      <PaneSection>
        <div className="text-xl font-strong tracking-num whitespace-nowrap">
          <Amount asset={transfer.asset} value={transfer.amount} />
        </div>
        <div className="text-xs text-muted">
          {transfer.text}
          {transfer.pending && ', held'}
        </div>
        <FactList className="text-xs mt-2">
          {transfer.legs.map((leg, index) => (
            <Leg key={leg.number} word={index === 0 ? 'From' : 'To'} leg={leg} onOpen={() => onOpen(leg.number, transfer.id)} />
          ))}
        </FactList>
      </PaneSection>
      <PaneSection>
        <h3>Cause</h3>
        <ol className="relative pl-[22px] text-xs before:absolute before:top-3 before:bottom-3.5 before:left-1.5 before:w-px before:bg-line-strong">
          <li className={CAUSE_STEP}>
            <span className="font-semi">This transfer</span>{' '}
            <span className="text-muted">is {transfer.text.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}</span>
          </li>
          {transfer.cause.map((step, index) => (
            <CauseStep key={`${index} ${step.id}`} step={step} open={transfer.id} onOpen={onOpen} />
          ))}
        </ol>
      </PaneSection>
      <PaneSection>
        <h3>Belongs to</h3>
        <FactList tight className="text-xs">
          {transfer.run !== undefined && (
            <Fact name="Reward run">
              <Link className="link" href="/staff/rewards">
                {transfer.run}
              </Link>
            </Fact>
          )}
          {transfer.ruleVersion !== undefined && <Fact name="Rules">version {transfer.ruleVersion}</Fact>}
          <Fact name="Kind">
            <span className="font-mono text-xs">{transfer.kind}</span>
          </Fact>
          <Fact name="Rounding">down, to the eighth decimal</Fact>
        </FactList>
      </PaneSection>
      {transfer.sameCause.length > 0 && (
        <PaneSection>
          <h3>Transfers of the same cause</h3>
          {transfer.sameCause.map((one) => (
            <p key={one.id} className="flex min-w-0 items-center gap-2 justify-between text-xs">
              <Link className="link" href={`/staff/ledger/-/${one.id}`}>
                {one.text}
              </Link>
              <span title={utcAndLocal(one.at)}>
                <Amount asset={one.asset} value={one.amount} />
              </span>
            </p>
          ))}
        </PaneSection>
      )}
      {transfer.legs.some((leg) => leg.member !== undefined) && <ReceiptPart id={transfer.id} />}
      <ReversalPart transfer={transfer} />
    </>
  )
}

function Leg({ word, leg, onOpen }: { word: string; leg: Transfer['legs'][number]; onOpen: () => void }) {
  return (
    <>
      <dt>
        {word}{' '}
        <button type="button" className={leg.member === undefined ? 'link font-mono text-xs' : 'link'} onClick={onOpen}>
          {leg.member === undefined ? leg.name : `${plain(leg.member.name)}, ${leg.name}`}
        </button>
      </dt>
      <dd>
        <span className="text-faint">
          <Money value={leg.before} /> →
        </span>{' '}
        <Money value={leg.after} />
      </dd>
    </>
  )
}

const CAUSE_STEP =
  'relative py-[5px] before:absolute before:top-[11px] before:-left-5 before:size-[9px] before:rounded-full before:border-2 before:border-accent-line before:bg-surface last:before:bg-accent-line'

function CauseStep({
  step,
  open,
  onOpen,
}: {
  step: Transfer['cause'][number]
  open: string
  onOpen: (number: string, id: string) => void
}) {
  const { transferId } = step
  const name = step.id.length > 12 ? `${step.id.slice(0, 10)}…` : step.id
  return (
    <li className={CAUSE_STEP}>
      {plain(step.text)}{' '}
      {step.href === undefined ? (
        <span className="font-mono text-xs">{plain(name)}</span>
      ) : (
        <Link className="link font-mono text-xs" href={step.href}>
          {plain(name)}
        </Link>
      )}
      <span className="text-muted block">
        {plain(step.detail ?? '')}
        {step.at !== undefined && `${step.detail === undefined ? '' : ', '}${brief(step.at)}`}{' '}
        {transferId !== undefined && transferId !== open && (
          <button type="button" className="link" onClick={() => onOpen('-', transferId)}>
            its transfer
          </button>
        )}
      </span>
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
