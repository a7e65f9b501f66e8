import { noteOnMember } from '@tizara/contract/staff-member-acts'
import {
  staffMemberLedger,
  staffMemberNotes,
  staffMemberSessions,
  staffMemberTeam,
  staffMemberTickets,
} from '@tizara/contract/staff-member-pages'
import { staffPurchases, undoPurchase } from '@tizara/contract/staff-purchases'
import { staffMemberDetail } from '@tizara/contract/staff-members'
import { MESSAGE_MAX_LENGTH, type ReplyOf } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { call, toApiError } from '../../lib/api.ts'
import { refetch } from '../../lib/query.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from '../lib/act-dialog.tsx'
import { Amount } from '../lib/amount.tsx'
import { useDraft } from '../lib/drafts.ts'
import { ListState, More } from '../lib/list-parts.tsx'
import { useMay, useMe, useWhoCan } from '../lib/me.tsx'
import { Person } from '../lib/person.tsx'
import { plain } from '../lib/plain.ts'
import { useNextPages } from '../lib/use-next-pages.ts'
import { watch } from '../lib/watch.ts'
import { bothClocks, brief } from '../lib/when.ts'

type Pages = Parameters<typeof ListState>[0]['query'] & Parameters<typeof More>[0]['pages'] & { rows: readonly unknown[] }

/** A list of a member as a table; narrow, its rows are cards. */
function Table({ heads, none, list, children }: { heads: readonly string[]; none: string; list: Pages; children: ReactNode }) {
  return (
    <section className="panel">
      <ListState query={list} rows={list.rows.length} none={none} />
      {list.rows.length > 0 && (
        <table className="folds">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" className={/^(Amount|Balance|People|Staked)/.test(head) ? 'num' : ''}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
      <More pages={list} />
    </section>
  )
}

const When = ({ at }: { at: Date }) => <time title={bothClocks(at)}>{brief(at)}</time>

export function LedgerTab({ id }: { id: string }) {
  const list = useNextPages(staffMemberLedger, { params: { id } })
  return (
    <Table heads={['When, UTC', 'What', 'Wallet', 'Amount', 'Balance after', 'Transfer']} none="Nothing moved yet" list={list}>
      {list.rows.map((row) => (
        <tr key={`${row.transferId}${row.wallet}`}>
          <td>
            <When at={row.at} />
          </td>
          <td data-label="What">{plain(row.text)}</td>
          <td data-label="Wallet">{row.wallet}</td>
          <td data-label="Amount" className="num">
            <Amount value={row.amount} asset={row.asset} sign="always" />
          </td>
          <td data-label="Balance after" className="num">
            <Amount value={row.balanceAfter} asset={row.asset} />
          </td>
          <td data-label="Transfer" className="mono">
            {row.transferId}
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
      <Table heads={['Direct referral', 'Since, UTC', 'People below', 'Staked below', 'Status']} none="Nobody was brought yet" list={list}>
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

/** What staff write for each other: amber, dashed, with a lock, as everywhere. */
export function NotesTab({ id }: { id: string }) {
  const me = useMe()
  const may = useMay('noteOnMember')
  const whoCan = useWhoCan('noteOnMember')
  const list = useNextPages(staffMemberNotes, { params: { id } })
  const [text, setText] = useDraft(`${me.person.id}:member-note:${id}`)
  const [fault, setFault] = useState<string>()
  async function save(): Promise<void> {
    if (text.trim() === '') return setFault('Please write a note')
    try {
      await call(noteOnMember, { params: { id }, body: { text: text.trim() } })
      setText('')
      toast('Noted, only staff can read it')
      await refetch(staffMemberNotes, staffMemberDetail)
    } catch (error) {
      setFault(toApiError(error).message)
    }
  }
  return (
    <>
      <div className="noted">
        <label className="row sm b" htmlFor="member-note">
          <Lock size={12} className="warn" aria-hidden="true" />
          Internal, only staff
        </label>
        <textarea
          id="member-note"
          className="control mt4"
          rows={3}
          maxLength={MESSAGE_MAX_LENGTH}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setFault(undefined)
          }}
        />
        {fault !== undefined && (
          <p role="alert" className="note bad mt8">
            {fault}
          </p>
        )}
        <div className="row mt8" style={{ justifyContent: 'flex-end' }}>
          <Button className="btn sm" aria-disabled={!may} title={may ? undefined : whoCan} onClick={save}>
            Save note
          </Button>
        </div>
      </div>
      <ListState query={list} rows={list.rows.length} none="No note was written" />
      <ol>
        {list.rows.map((note) => (
          <li key={note.id} className="noted mt8">
            <div className="row sm">
              <b className="b">{plain(note.by.name)}</b>
              <time className="fnt" title={bothClocks(note.at)}>
                {brief(note.at)} UTC
              </time>
            </div>
            {note.text.split('\n').map((line, place) => (
              <p key={place}>{plain(line)}</p>
            ))}
          </li>
        ))}
      </ol>
      <More pages={list} />
    </>
  )
}

type Purchase = ReplyOf<typeof staffPurchases>['data'][number]

export function PurchasesTab({ id }: { id: string }) {
  const may = useMay('undoPurchase')
  const whoCan = useWhoCan('undoPurchase')
  const [page, setPage] = useState(1)
  const [undoing, setUndoing] = useState<Purchase>()
  const query = useQuery(watch(staffPurchases, { params: { id }, query: { page, limit: 50 } }))
  const rows = query.data?.data ?? []
  const hasMore = (query.data?.meta.total ?? 0) > page * 50
  const list = { ...query, rows, hasMore, more: () => setPage(page + 1) }
  return (
    <>
      <Table heads={['Purchase', 'Amount', 'Bought, UTC', 'State', 'Undo']} none="Nothing was bought" list={list}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{plain(row.label)}</td>
            <td data-label="Amount" className="num">
              <Amount value={row.amount} asset={row.asset} />
            </td>
            <td data-label="Bought">
              <When at={row.createdAt} />
            </td>
            <td data-label="State">{row.status.toLowerCase()}</td>
            <td data-label="Undo">
              {row.undoableUntil === undefined ? (
                <span className="fnt">–</span>
              ) : (
                <Button
                  className="btn sm"
                  aria-disabled={!may}
                  title={may ? `Until ${brief(row.undoableUntil)} UTC` : whoCan}
                  onClick={() => setUndoing(row)}
                >
                  Undo
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {undoing !== undefined && <Undo purchase={undoing} onClose={() => setUndoing(undefined)} />}
    </>
  )
}

function Undo({ purchase, onClose }: { purchase: Purchase; onClose: () => void }) {
  const { current } = useIdempotencyKey()
  return (
    <ActDialog
      title={`Undo ${plain(purchase.label)}`}
      effects={[
        <>
          <Amount value={purchase.amount} asset={purchase.asset} /> goes back, with the rewards that are on hold for it.
        </>,
        'Another person has to approve it before anything moves.',
      ]}
      verb="Propose to undo"
      danger
      draft={`undo:${purchase.id}`}
      onDo={async (reason) => {
        await call(undoPurchase, { params: { kind: purchase.kind, id: purchase.id }, body: { reason }, idempotencyKey: current() })
        toast('Another staff member has to approve this')
        await refetch(staffPurchases, staffMemberDetail)
      }}
      onClose={onClose}
    />
  )
}
