import Flag from 'lucide-react/icons/flag'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import { Person } from '../../kit/person.tsx'
import { LocalTimeFact } from '../../kit/local-time.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, briefly, fullDay } from '../../kit/when.ts'
import { WalletList } from '../../kit/wallet-list.tsx'
import { addReceipt } from './attached-receipts.ts'
import type { StaffTicket } from './tickets.queries.ts'
import { Pane, PaneSection } from '../../../ui/split.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { cx } from '../../../ui/cx.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/badge.tsx'

/** Shows the member beside a ticket, with balances and transfers around the reported row. */
export function TicketMember({ ticket }: { ticket: StaffTicket }) {
  const { member, pane, flags } = ticket
  return (
    <Pane as="aside" aria-label="The member">
      <div className="min-h-0 flex-1 md:overflow-auto">
        <PaneSection>
          <Link href={`/staff/members/${member.id}`}>
            <Person person={member} />
          </Link>
          <FactList tight className="text-xs mt-2">
            <dt>Member since</dt>
            <dd title={utcAndLocal(pane.since)}>{fullDay(pane.since)}</dd>
            <dt>Sponsor</dt>
            <dd>{pane.sponsor ? plain(pane.sponsor.name) : 'none'}</dd>
            <LocalTimeFact zone={pane.timeZone} />
            <dt>Status</dt>
            <dd>
              <Badge tone={pane.status ? 'success' : 'danger'}>{pane.status ? 'Active' : 'Blocked'}</Badge>
            </dd>
            <dt>Earlier tickets</dt>
            <dd>{pane.ticketsBefore}</dd>
          </FactList>
        </PaneSection>
        <PaneSection>
          <h3>
            Wallets <span>now</span>
          </h3>
          <WalletList balances={pane.balances} held={pane.held} />
        </PaneSection>
        <Money ticket={ticket} />
        {flags.length > 0 && (
          <PaneSection>
            <h3>
              Flags <span>{flags.length}</span>
            </h3>
            {flags.map((flag) => (
              <div key={flag.text} className="grid grid-cols-[18px_minmax(0,1fr)] gap-x-2 py-[7px]">
                <Flag size={14} className="text-warning" aria-hidden="true" />
                <span className="font-semi text-xs">{plain(flag.text)}</span>
                {flag.detail !== undefined && <span className="col-[2] text-xs text-muted">{plain(flag.detail)}</span>}
              </div>
            ))}
          </PaneSection>
        )}
      </div>
    </Pane>
  )
}

/** Lists transfers around the reported row. Each can be attached to the reply as a receipt. */
function Money({ ticket }: { ticket: StaffTicket }) {
  const { attached, money } = ticket
  const attach = (name: string, title: string) => addReceipt(ticket.id, { name, title })
  return (
    <PaneSection>
      <h3>
        Money around this ticket <span>48 h</span>
      </h3>
      {money.length === 0 && attached === undefined && <p className="text-xs text-muted">No movements.</p>}
      {attached !== undefined && (
        <Button size="sm" onClick={() => attach(`${attached.kind}.${attached.id}`, attached.title)}>
          Add its receipt to the answer
        </Button>
      )}
      <ul className="text-xs">
        {money.map((line) => (
          <li
            key={`${line.transferId}${line.wallet}`}
            className={cx(
              'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 py-[5px]',
              line.transferId === attached?.transferId && '-mx-2 rounded-[7px] bg-accent-soft px-2',
            )}
          >
            <span className="truncate">{plain(line.text)}</span>
            <Amount value={line.amount} asset={line.asset} sign="always" />
            <time className="text-faint" title={utcAndLocal(line.at)}>
              {briefly(line.at)}
            </time>
            <button
              type="button"
              className="link justify-self-end"
              aria-label={`Add the receipt of ${plain(line.text)}`}
              onClick={() => attach(`transfer.${line.transferId}`, line.text)}
            >
              Add
            </button>
          </li>
        ))}
      </ul>
    </PaneSection>
  )
}
