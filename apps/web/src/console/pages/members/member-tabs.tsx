import { staffMemberLedger, staffMemberSessions, staffMemberTeam, staffMemberTickets } from '@tizara/contract/staff-member-pages'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import { Person } from '../../kit/person.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useNextPages } from '../../kit/use-next-pages.ts'
import { MemberTable, When } from './member-table.tsx'
import { walletNames } from '../../../wallets/wallet-names.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Tag } from '../../../ui/tag.tsx'

export function LedgerTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberLedger, { params: { id } })
  return (
    <MemberTable
      heads={['Time, UTC', 'Description', 'Wallet', ['Amount', 'num'], ['Balance after', 'num'], 'Transfer']}
      none="No entries yet"
      list={list}
    >
      {list.rows.map((row) => (
        <tr key={`${row.transferId}${row.wallet}`}>
          <td>
            <When at={row.at} />
          </td>
          <td data-label="Description">{plain(row.text)}</td>
          <td data-label="Wallet">{walletNames[row.wallet]}</td>
          <td data-label="Amount" className="text-right whitespace-nowrap">
            <Amount value={row.amount} asset={row.asset} sign="always" />
          </td>
          <td data-label="Balance after" className="text-right whitespace-nowrap">
            <Amount value={row.balanceAfter} asset={row.asset} />
          </td>
          <td data-label="Transfer" className="font-mono text-xs">
            <Link className="link" href={`/staff/ledger/-/${row.transferId}`}>
              {row.transferId}
            </Link>
          </td>
        </tr>
      ))}
    </MemberTable>
  )
}

export function SessionsTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberSessions, { params: { id } })
  return (
    <MemberTable heads={['Device', 'From', 'Signed in, UTC', 'Last seen', 'State']} none="No sessions" list={list}>
      {list.rows.map((row) => (
        <tr key={row.id}>
          <td>{plain(row.device)}</td>
          <td data-label="From" className="font-mono text-xs">
            {plain(row.ip)}
          </td>
          <td data-label="Signed in">
            <When at={row.createdAt} />
          </td>
          <td data-label="Last seen">
            <When at={row.lastSeenAt} />
          </td>
          <td data-label="State">
            {row.live ? <Badge tone="success">Live</Badge> : <Badge>{row.endReason ?? 'over'}</Badge>}
            {row.secondFactor && <Tag>second factor</Tag>}
          </td>
        </tr>
      ))}
    </MemberTable>
  )
}

export function TeamTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberTeam, { params: { id } })
  const above = list.first?.above ?? []
  return (
    <>
      {above.length > 0 && (
        <p className="flex min-w-0 items-center gap-2 flex-wrap text-xs mb-2">
          <span className="text-muted">Above, nearest first:</span>
          {above.map((one) => (
            <Link key={one.id} href={`/staff/members/${one.id}/team`} className="link">
              {plain(one.name)}
            </Link>
          ))}
        </p>
      )}
      <MemberTable
        heads={['Direct referral', 'Since, UTC', ['People below', 'num'], ['Staked below', 'num'], 'Status']}
        none="No referrals yet"
        list={list}
      >
        {list.rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Link href={`/staff/members/${row.id}/team`}>
                <Person person={row} size="s" />
              </Link>
            </td>
            <td data-label="Since">
              <When at={row.createdAt} />
            </td>
            <td data-label="People below" className="text-right whitespace-nowrap">
              {row.people}
            </td>
            <td data-label="Staked below" className="text-right whitespace-nowrap">
              <Amount value={row.stake} asset="coin" />
            </td>
            <td data-label="Status">
              <Badge tone={row.status ? 'success' : 'danger'}>{row.status ? 'Active' : 'Blocked'}</Badge>
            </td>
          </tr>
        ))}
      </MemberTable>
    </>
  )
}

export function TicketsTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberTickets, { params: { id } })
  return (
    <MemberTable heads={['Ticket', 'Number', 'Opened, UTC', 'State']} none="No tickets yet" list={list}>
      {list.rows.map((row) => (
        <tr key={row.id}>
          <td>
            <Link href={`/staff/tickets/${row.id}`} className="link">
              {plain(row.title)}
            </Link>
          </td>
          <td data-label="Number" className="font-mono text-xs">
            {row.number}
          </td>
          <td data-label="Opened">
            <When at={row.createdAt} />
          </td>
          <td data-label="State">
            <Badge tone={row.awaitsStaff ? 'warning' : 'neutral'}>
              {row.awaitsStaff ? 'Waits' : row.status === 'CLOSED' ? 'Closed' : 'Answered'}
            </Badge>
          </td>
        </tr>
      ))}
    </MemberTable>
  )
}
