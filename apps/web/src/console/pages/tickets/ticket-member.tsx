import Flag from 'lucide-react/icons/flag'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import { Person } from '../../kit/person.tsx'
import { LocalTimeFact } from '../../kit/local-time.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { bothClocks, briefly, fullDay } from '../../kit/when.ts'
import { WalletList } from '../../kit/wallet-list.tsx'
import { addReceipt } from './attached-receipts.ts'
import type { StaffTicket } from './tickets.queries.ts'

/** The member beside a ticket: who, what is there, and the money around what the ticket is about. */
export function TicketMember({ ticket }: { ticket: StaffTicket }) {
  const { member, pane, flags } = ticket
  return (
    <aside className="pane" aria-label="The member">
      <div className="scroll">
        <div className="sect">
          <Link href={`/staff/members/${member.id}`}>
            <Person person={member} />
          </Link>
          <dl className="kv tight sm mt8">
            <dt>Member since</dt>
            <dd title={bothClocks(pane.since)}>{fullDay(pane.since)}</dd>
            <dt>Sponsor</dt>
            <dd>{pane.sponsor ? plain(pane.sponsor.name) : 'none'}</dd>
            <LocalTimeFact zone={pane.timeZone} />
            <dt>Status</dt>
            <dd>
              <span className={pane.status ? 'badge ok' : 'badge bad'}>{pane.status ? 'Active' : 'Blocked'}</span>
            </dd>
            <dt>Tickets before</dt>
            <dd>{pane.ticketsBefore}</dd>
          </dl>
        </div>
        <div className="sect">
          <h3>
            Wallets <span className="r">now</span>
          </h3>
          <WalletList balances={pane.balances} held={pane.held} />
        </div>
        <Money ticket={ticket} />
        {flags.length > 0 && (
          <div className="sect">
            <h3>
              Flags <span className="r">{flags.length}</span>
            </h3>
            {flags.map((flag) => (
              <div key={flag.text} className="flag">
                <Flag size={14} className="warn" aria-hidden="true" />
                <span className="b sm">{plain(flag.text)}</span>
                {flag.detail !== undefined && <span className="sm mut">{plain(flag.detail)}</span>}
              </div>
            ))}
          </div>
        )}
      </div>
    </aside>
  )
}

/** What moved around the row; each line can go into the answer as a receipt. */
function Money({ ticket }: { ticket: StaffTicket }) {
  const { attached, money } = ticket
  const attach = (name: string, title: string) => addReceipt(ticket.id, { name, title })
  return (
    <div className="sect">
      <h3>
        Money around this ticket <span className="r">48 h</span>
      </h3>
      {money.length === 0 && attached === undefined && <p className="sm mut">Nothing moved.</p>}
      {attached !== undefined && (
        <button type="button" className="btn sm" onClick={() => attach(`${attached.kind}.${attached.id}`, attached.title)}>
          Add its receipt to the answer
        </button>
      )}
      <ul className="tlc sm">
        {money.map((line) => (
          <li key={`${line.transferId}${line.wallet}`} className={line.transferId === attached?.transferId ? 'mv on' : 'mv'}>
            <span className="tr">{plain(line.text)}</span>
            <Amount value={line.amount} asset={line.asset} sign="always" />
            <time title={bothClocks(line.at)}>{briefly(line.at)}</time>
            <button
              type="button"
              className="link"
              aria-label={`Add the receipt of ${plain(line.text)}`}
              onClick={() => attach(`transfer.${line.transferId}`, line.text)}
            >
              Add
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
