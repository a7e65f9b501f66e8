import { staffMemberLedger, staffMemberSessions, staffMemberTeam, staffMemberTickets } from '@tizara/contract/staff-member-pages'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import { Person } from '../../kit/person.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useNextPages } from '../../kit/use-next-pages.ts'
import { Table, When } from './member-table.tsx'
import { walletNames } from '../../../wallets/wallet-names.ts'

export function LedgerTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberLedger, { params: { id } })
  return (
    <Table
      heads={['When, UTC', 'What', 'Wallet', ['Amount', 'num'], ['Balance after', 'num'], 'Transfer']}
      none="Nothing moved yet"
      list={list}
    >
      {list.rows.map((row) => (
        <tr key={`${row.transferId}${row.wallet}`}>
          <td>
            <When at={row.at} />
          </td>
          <td data-label="What">{plain(row.text)}</td>
          <td data-label="Wallet">{walletNames[row.wallet]}</td>
          <td data-label="Amount" className="num">
            <Amount value={row.amount} asset={row.asset} sign="always" />
          </td>
          <td data-label="Balance after" className="num">
            <Amount value={row.balanceAfter} asset={row.asset} />
          </td>
          <td data-label="Transfer" className="mono">
            <Link className="link" href={`/staff/ledger/-/${row.transferId}`}>
              {row.transferId}
            </Link>
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function SessionsTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberSessions, { params: { id } })
  return (
    <Table heads={['Device', 'From', 'Signed in, UTC', 'Last seen', 'State']} none="No session is kept" list={list}>
      {list.rows.map((row) => (
        <tr key={row.id}>
          <td>{plain(row.device)}</td>
          <td data-label="From" className="mono">
            {plain(row.ip)}
          </td>
          <td data-label="Signed in">
            <When at={row.createdAt} />
          </td>
          <td data-label="Last seen">
            <When at={row.lastSeenAt} />
          </td>
          <td data-label="State">
            {row.live ? <span className="badge ok">Live</span> : <span className="badge">{row.endReason ?? 'over'}</span>}
            {row.secondFactor && <span className="tag">second factor</span>}
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function TeamTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberTeam, { params: { id } })
  const above = list.first?.above ?? []
  return (
    <>
      {above.length > 0 && (
        <p className="row wrap sm" style={{ marginBottom: 8 }}>
          <span className="mut">Above, nearest first:</span>
          {above.map((one) => (
            <Link key={one.id} href={`/staff/members/${one.id}/team`} className="link">
              {plain(one.name)}
            </Link>
          ))}
        </p>
      )}
      <Table
        heads={['Direct referral', 'Since, UTC', ['People below', 'num'], ['Staked below', 'num'], 'Status']}
        none="Nobody was brought yet"
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
            <td data-label="People below" className="num">
              {row.people}
            </td>
            <td data-label="Staked below" className="num">
              <Amount value={row.stake} asset="coin" />
            </td>
            <td data-label="Status">
              <span className={row.status ? 'badge ok' : 'badge bad'}>{row.status ? 'Active' : 'Blocked'}</span>
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}

export function TicketsTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberTickets, { params: { id } })
  return (
    <Table heads={['Ticket', 'Number', 'Opened, UTC', 'State']} none="No ticket was opened" list={list}>
      {list.rows.map((row) => (
        <tr key={row.id}>
          <td>
            <Link href={`/staff/tickets/${row.id}`} className="link">
              {plain(row.title)}
            </Link>
          </td>
          <td data-label="Number" className="mono">
            {row.number}
          </td>
          <td data-label="Opened">
            <When at={row.createdAt} />
          </td>
          <td data-label="State">
            <span className={row.awaitsStaff ? 'badge warn' : 'badge'}>
              {row.awaitsStaff ? 'Waits' : row.status === 'CLOSED' ? 'Closed' : 'Answered'}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  )
}
