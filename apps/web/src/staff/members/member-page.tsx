import type { ReplyOf } from '@tizara/contract'
import { revealMember } from '@tizara/contract/staff-member-acts'
import { staffMemberDetail } from '@tizara/contract/staff-members'
import { walletKeys } from '@tizara/contract/wallets'
import { useQuery } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { formatAmount } from '../../ui/money-format.ts'
import { Amount } from '../lib/amount.tsx'
import { Avatar } from '../lib/avatar.tsx'
import { useMay, useWhoCan } from '../lib/me.tsx'
import { Panel } from '../lib/panel.tsx'
import { plain } from '../lib/plain.ts'
import { watch } from '../lib/watch.ts'
import { age, bothClocks, brief } from '../lib/when.ts'
import { Actions, ViewAs } from './actions.tsx'
import { LedgerTab, NotesTab, PurchasesTab, SessionsTab, TeamTab, TicketsTab } from './member-tabs.tsx'
import { Status } from './status.tsx'
import { Timeline } from './timeline.tsx'

export type MemberDetail = ReplyOf<typeof staffMemberDetail>

const WALLETS = {
  depositWallet: ['Deposit', 'usd'],
  nativeWallet: ['Native', 'coin'],
  icoWallet: ['My Wallet', 'coin'],
  newIcoWallet: ['ICO', 'coin'],
  stakeWallet: ['Stake', 'coin'],
  nftWallet: ['NFT', 'usd'],
  rcmWallet: ['RCM', 'coin'],
} as const

/** One member: what waits on top, what happened, what is there, and what can be done. */
export function MemberPage({ id, tab }: { id: string; tab: string }) {
  const { data: detail, error } = useQuery({ ...watch(staffMemberDetail, { params: { id } }), retry: false })
  if (detail === undefined)
    return (
      <div className="view on">
        <p className="nothing">{error === null ? 'Reading' : 'There is no such member'}</p>
      </div>
    )
  const { member, flags, counts } = detail
  const tabs: [string, string, number?][] = [
    ['timeline', 'Timeline'],
    ['ledger', 'Ledger'],
    ['purchases', 'Purchases', counts.purchases],
    ['rewards', 'Rewards'],
    ['team', 'Team', counts.team],
    ['sessions', 'Sessions', counts.sessions],
    ['tickets', 'Tickets', counts.tickets],
    ['notes', 'Notes', counts.notes],
  ]
  return (
    <div className="view on">
      <div className="page">
        <div className="row who3">
          <Avatar name={member.name} size="l" />
          <div className="grow">
            <div className="row wrap">
              <h2 className="title">{plain(member.name)}</h2>
              <Status row={member} />
              {member.rank && <span className="badge p">{plain(member.rank)}</span>}
              {member.isSpecialRcm && <span className="badge p">Special</span>}
              {member.isStaff && <span className="badge acc">Staff</span>}
              {flags.length > 0 && <span className="badge warn">{flags.length === 1 ? '1 flag' : `${flags.length} flags`}</span>}
            </div>
            <div className="row wrap mut mt4" style={{ gap: '4px 14px' }}>
              <span>{plain(member.email)}</span>
              <Phone id={id} masked={member.phone} />
              <span>
                Code <span className="mono">{plain(member.myReferralCode)}</span>
              </span>
              <span>
                Sponsor{' '}
                {member.sponsor ? (
                  <Link href={`/staff/members/${member.sponsor.id}/timeline`} className="link">
                    {plain(member.sponsor.name)}
                  </Link>
                ) : (
                  'nobody'
                )}
              </span>
              <span title={bothClocks(member.createdAt)}>Since {brief(member.createdAt)}</span>
            </div>
          </div>
          <ViewAs detail={detail} />
        </div>
        {detail.openItems.map((item) => (
          <div key={item.id} className="note warn mt12">
            <Flag size={16} className="warn" aria-hidden="true" />
            <div className="grow">
              <b className="b">{plain(item.text)}.</b>{' '}
              <span className="mut" title={bothClocks(item.since)}>
                Since {age(item.since)}.
              </span>
            </div>
            <Link className="link" href={item.href}>
              Open {item.kind}
            </Link>
          </div>
        ))}
        <nav className="tabs mt12 many" aria-label="About the member">
          {tabs.map(([name, label, count]) => (
            <Link
              key={name}
              href={`/staff/members/${id}/${name}`}
              replace
              className={name === tab ? 'on' : ''}
              aria-current={name === tab ? 'page' : undefined}
            >
              {label}
              {count !== undefined && count > 0 && <span className="c">{count}</span>}
            </Link>
          ))}
        </nav>
        <div className="g c12 mt16 member">
          <div className="main">
            <Tab id={id} tab={tab} />
          </div>
          <div className="g beside">
            <Wallets detail={detail} />
            {flags.length > 0 && (
              <Panel title="Flags">
                <div className="in">
                  {flags.map((flag) => (
                    <div key={flag.text} className="look">
                      <Flag size={14} className="warn" aria-hidden="true" />
                      <span className="b">{plain(flag.text)}</span>
                      {(flag.detail !== undefined || flag.until !== undefined) && (
                        <span className="sm mut">
                          {plain(flag.detail ?? '')}
                          {flag.until !== undefined && ` Goes away on ${brief(flag.until)} UTC.`}
                        </span>
                      )}
                    </div>
                  ))}
                </div>
              </Panel>
            )}
            <Actions detail={detail} />
          </div>
        </div>
      </div>
    </div>
  )
}

function Tab({ id, tab }: { id: string; tab: string }) {
  switch (tab) {
    case 'ledger':
      return <LedgerTab id={id} />
    case 'purchases':
      return <PurchasesTab id={id} />
    case 'rewards':
      return <Timeline id={id} only="reward" />
    case 'team':
      return <TeamTab id={id} />
    case 'sessions':
      return <SessionsTab id={id} />
    case 'tickets':
      return <TicketsTab id={id} />
    case 'notes':
      return <NotesTab id={id} />
    default:
      return <Timeline id={id} />
  }
}

/** A number of which only the ends stand here; showing it is written down. */
function Phone({ id, masked }: { id: string; masked: string }) {
  const may = useMay('revealMember')
  const whoCan = useWhoCan('revealMember')
  const [shown, setShown] = useState<string>()
  async function show(): Promise<void> {
    try {
      const { data } = await call(revealMember, { params: { id }, body: { field: 'phone' } })
      setShown(data.values[0] ?? '')
    } catch (error) {
      setShown(toApiError(error).message)
    }
  }
  return (
    <span className="row" style={{ gap: 5 }}>
      <span className="mono">{plain(shown ?? masked)}</span>
      {shown === undefined && masked !== '' && (
        <Button
          className="btn sm"
          icon={<Eye size={12} aria-hidden="true" />}
          aria-label="Show the phone number"
          aria-disabled={!may}
          title={may ? 'Written to the audit log' : whoCan}
          onClick={show}
        >
          Show
        </Button>
      )}
    </span>
  )
}

function Wallets({ detail }: { detail: MemberDetail }) {
  const { balances, held, worthUsd, coinPrice } = detail
  const heldOf = (wallet: string) => (wallet === 'depositWallet' ? held.usd : wallet === 'icoWallet' ? held.coin : 0n)
  return (
    <Panel
      title="Wallets"
      right={
        <span className="fnt">
          worth ≈ {formatAmount(worthUsd)} USD at {formatAmount(coinPrice, 4)}
        </span>
      }
    >
      <table className="d mt4">
        <thead>
          <tr>
            <th scope="col">Wallet</th>
            <th scope="col" className="num">
              Balance
            </th>
            <th scope="col" className="num">
              Held
            </th>
          </tr>
        </thead>
        <tbody>
          {walletKeys
            .filter((wallet) => wallet !== 'rcmWallet' || detail.member.isSpecialRcm || balances.rcmWallet > 0n)
            .map((wallet) => (
              <tr key={wallet}>
                <td>{WALLETS[wallet][0]}</td>
                <td className="num b">
                  <Amount value={balances[wallet]} asset={WALLETS[wallet][1]} />
                </td>
                <td className="num">{heldOf(wallet) === 0n ? '–' : <Amount value={heldOf(wallet)} asset={WALLETS[wallet][1]} />}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Panel>
  )
}
