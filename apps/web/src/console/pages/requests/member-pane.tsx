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
import { bothClocks, brief, fullDay } from '../../kit/when.ts'
import { WalletList } from '../../kit/wallet-list.tsx'
import type { QueueDetail, QueueRow } from './queue.ts'

/** The member beside a decision: who, since when, what came and went. */
export function MemberPane({ item, about }: { item: QueueRow; about: QueueDetail['about'] | undefined }) {
  const { tokenSymbol } = useAppConfig()
  return (
    <aside className="pane me-pane" aria-label="The member">
      <div className="scroll">
        <div className="sect">
          <div className="row">
            <Avatar name={item.member.name} size="m" />
            <span className="grow">
              <span className="row">
                <b className="bb tr">{plain(item.member.name)}</b>
                {about?.rank !== undefined && about.rank !== null && <span className="tag">{plain(about.rank).toUpperCase()}</span>}
              </span>
              <span className="sm mut tr" style={{ display: 'block' }}>
                {plain(item.member.email)}
              </span>
            </span>
            <Link
              className="ib"
              href={`/staff/members/${item.member.id}/timeline`}
              aria-label={`Open ${plain(item.member.name)}`}
              title="Open the member (O)"
            >
              <ArrowUpRight size={16} aria-hidden="true" />
            </Link>
          </div>
          {about !== undefined && (
            <dl className="kv tight sm mt8">
              <dt>Member since</dt>
              <dd title={bothClocks(about.since)}>{fullDay(about.since)}</dd>
              <dt>Sponsor</dt>
              <dd>{about.sponsor ? plain(about.sponsor.name) : 'none'}</dd>
              <dt>Team</dt>
              <dd>{about.teamSize}</dd>
              <LocalTimeFact zone={about.timeZone} />
              <dt>Status</dt>
              <dd>
                <span className={about.status ? 'badge ok' : 'badge bad'}>{about.status ? 'Active' : 'Blocked'}</span>
              </dd>
            </dl>
          )}
        </div>
        {about !== undefined && <Figures about={about} symbol={tokenSymbol} />}
      </div>
    </aside>
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
      <div className="sect">
        <h3>
          Wallets <span className="r">now</span>
        </h3>
        <WalletList balances={about.balances} held={about.held} />
      </div>
      <div className="sect">
        <h3>
          Payouts asked for <span className="r">last {about.earlier.length}</span>
        </h3>
        <ul className="sm">
          {about.earlier.map((one) => (
            <li key={one.id} className="row" style={{ padding: '3px 0' }}>
              <span className="fnt" style={{ minWidth: 46 }} title={bothClocks(one.at)}>
                {brief(one.at)}
              </span>
              <span className="mono grow tr" title={plain(one.address)}>
                {shortAddress(plain(one.address))}
              </span>
              <Money value={one.amount} className="b" />
              {one.status === 'APPROVED' ? (
                <Check size={12} className="ok" aria-label="Paid" />
              ) : one.status === 'REJECTED' ? (
                <X size={12} className="fnt" aria-label="Rejected" />
              ) : (
                <span className="fnt">waits</span>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div className="sect">
        <h3>Lately</h3>
        <ul className="sm">
          {about.lately.map((one, place) => (
            <li key={place} className="row sb" style={{ padding: '3px 0' }}>
              <span className="tr">{plain(one.text)}</span>
              <time className="fnt" dateTime={one.at.toISOString()} title={bothClocks(one.at)}>
                {brief(one.at)}
              </time>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

function Sums({ title, note, rows }: { title: string; note: string; rows: readonly [string, bigint, string][] }) {
  return (
    <div className="sect">
      <h3>
        {title} <span className="r">{note}</span>
      </h3>
      <dl className="kv tight sm">
        {rows.map(([label, value, unit]) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>
              <Money value={value} unit={unit} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
