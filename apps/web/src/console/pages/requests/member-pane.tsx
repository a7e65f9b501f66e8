import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { Link } from 'wouter'
import { useAppConfig } from '../../../settings/index.ts'
import { shortAddress } from '../../../ui/address.tsx'
import { Money } from '../../../ui/money.tsx'
import { Avatar } from '../../kit/avatar.tsx'
import { LocalTimeFact } from '../../kit/local-time.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, brief, fullDay } from '../../kit/when.ts'
import { WalletList } from '../../kit/wallet-list.tsx'
import type { QueueDetail, QueueRow } from './queue.ts'
import { Pane, PaneSection } from '../../../ui/split.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { Badge } from '../../../ui/badge.tsx'

/** Shows the member beside a decision: identity, age of the account, money in and out. */
export function MemberPane({ item, about }: { item: QueueRow; about: QueueDetail['about'] | undefined }) {
  const { tokenSymbol } = useAppConfig()
  return (
    <Pane as="aside" aria-label="The member">
      <div className="min-h-0 flex-1 md:overflow-auto">
        <PaneSection>
          <div className="flex min-w-0 items-center gap-2">
            <Avatar name={item.member.name} size="m" />
            <span className="min-w-0 flex-1">
              <span className="flex min-w-0 items-center gap-2">
                <b className="font-strong truncate">{plain(item.member.name)}</b>
                {about?.rank !== undefined && about.rank !== null && <Tag>{plain(about.rank).toUpperCase()}</Tag>}
              </span>
              <span className="text-xs text-muted truncate block">{plain(item.member.email)}</span>
            </span>
            <Link
              className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover"
              href={`/staff/members/${item.member.id}/timeline`}
              aria-label={`Open ${plain(item.member.name)}`}
              title="Open the member (O)"
            >
              <ArrowUpRight size={16} aria-hidden="true" />
            </Link>
          </div>
          {about !== undefined && (
            <FactList tight className="text-xs mt-2">
              <dt>Member since</dt>
              <dd title={utcAndLocal(about.since)}>{fullDay(about.since)}</dd>
              <dt>Sponsor</dt>
              <dd>{about.sponsor ? plain(about.sponsor.name) : 'none'}</dd>
              <dt>Team</dt>
              <dd>{about.teamSize}</dd>
              <LocalTimeFact zone={about.timeZone} />
              <dt>Status</dt>
              <dd>
                <Badge tone={about.status ? 'success' : 'danger'}>{about.status ? 'Active' : 'Blocked'}</Badge>
              </dd>
            </FactList>
          )}
        </PaneSection>
        {about !== undefined && <Figures about={about} symbol={tokenSymbol} />}
      </div>
    </Pane>
  )
}

function Figures({ about, symbol }: { about: QueueDetail['about']; symbol: string }) {
  const money: [string, bigint, string][] = [
    ['Deposited', about.deposited, 'USD'],
    ['Paid out', about.paidOut, 'USD'],
    about.boughtUsd === undefined ? ['Bought coin', about.bought, symbol] : ['Bought coin', about.boughtUsd, 'USD'],
    ['Rewards earned', about.earned.coin, symbol],
    ...(about.earned.usd === 0n ? [] : [['of NFTs', about.earned.usd, 'USD'] satisfies [string, bigint, string]]),
  ]
  return (
    <>
      <Sums title="Money" note="since the start" rows={money} />
      <PaneSection>
        <h3>
          Wallets <span>now</span>
        </h3>
        <WalletList balances={about.balances} held={about.held} />
      </PaneSection>
      <PaneSection>
        <h3>
          Requested payouts <span>last {about.earlierPayouts.length}</span>
        </h3>
        <ul className="text-xs">
          {about.earlierPayouts.map((one) => (
            <li key={one.id} className="flex min-w-0 items-center gap-2 py-[3px]">
              <span className="text-faint min-w-[46px]" title={utcAndLocal(one.at)}>
                {brief(one.at)}
              </span>
              <span className="font-mono text-xs min-w-0 flex-1 truncate" title={plain(one.address)}>
                {shortAddress(plain(one.address))}
              </span>
              <Money value={one.amount} className="font-semi" />
              {one.status === 'APPROVED' ? (
                <Check size={12} className="text-success" aria-label="Paid" />
              ) : one.status === 'REJECTED' ? (
                <X size={12} className="text-faint" aria-label="Rejected" />
              ) : (
                <span className="text-faint">waits</span>
              )}
            </li>
          ))}
        </ul>
      </PaneSection>
      <PaneSection>
        <h3>Recent activity</h3>
        <ul className="text-xs">
          {about.recentActions.map((one, index) => (
            <li key={index} className="flex min-w-0 items-center gap-2 justify-between py-[3px]">
              <span className="truncate">{plain(one.text)}</span>
              <time className="text-faint" dateTime={one.at.toISOString()} title={utcAndLocal(one.at)}>
                {brief(one.at)}
              </time>
            </li>
          ))}
        </ul>
      </PaneSection>
    </>
  )
}

function Sums({ title, note, rows }: { title: string; note: string; rows: readonly [string, bigint, string][] }) {
  return (
    <PaneSection>
      <h3>
        {title} <span>{note}</span>
      </h3>
      <FactList tight className="text-xs">
        {rows.map(([label, value, unit]) => (
          <div className="contents" key={label}>
            <dt>{label}</dt>
            <dd>
              <Money value={value} unit={unit} />
            </dd>
          </div>
        ))}
      </FactList>
    </PaneSection>
  )
}
