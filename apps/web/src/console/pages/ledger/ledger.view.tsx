import './ledger.css'
import { usePlace } from '../../kit/place.ts'
import { AccountList } from './account-list.tsx'
import { AccountEntries } from './account-entries.tsx'
import { TransferPane } from './transfer-pane.tsx'

const PATH = '/staff/ledger'

/** `/staff/ledger/:account/:transfer`: account, entry, transfer, cause, from left to right (staff.md 4, Ledger). */
export default function LedgerView() {
  const place = usePlace(PATH)
  const [transfer] = place.rest
  // A transfer alone stands behind a dash: `/staff/ledger/-/4812331`.
  const account = place.id === '-' ? undefined : place.id
  return (
    <div className={place.id === undefined ? 'view panes p-ledger on' : 'view panes p-ledger on open'}>
      <AccountList current={account} onOpen={(number) => place.open(number)} onTransfer={(id) => place.open('-', id)} />
      {account === undefined ? (
        <section className="pane" aria-label="Entries">
          <p className="nothing hide">Choose an account, or type the number of a transfer.</p>
        </section>
      ) : (
        <AccountEntries
          key={account}
          number={account}
          current={transfer}
          onOpen={(id) => place.open(account, id)}
          onBack={() => place.open()}
        />
      )}
      {transfer === undefined ? (
        <aside className="pane" aria-label="Transfer">
          <p className="nothing hide">An entry opens its transfer here, with the way back to where its money came from.</p>
        </aside>
      ) : (
        <TransferPane key={transfer} id={transfer} onOpen={(number, id) => place.open(number, id)} />
      )}
    </div>
  )
}
