import { usePageLocation } from '../../kit/page-location.ts'
import { AccountList } from './account-list.tsx'
import { AccountEntries } from './account-entries.tsx'
import { TransferPane } from './transfer-pane.tsx'
import { Pane, Split } from '../../../ui/split.tsx'

const PATH = '/staff/ledger'

/** `/staff/ledger/:account/:transfer`: account, entry, transfer and cause, left to right. */
export default function LedgerView() {
  const location = usePageLocation(PATH)
  const [transfer] = location.rest
  // A transfer without an account has a dash: `/staff/ledger/-/4812331`.
  const account = location.id === '-' ? undefined : location.id
  return (
    <Split columns="md:grid-cols-[220px_minmax(0,1fr)_300px] xl:grid-cols-[268px_minmax(0,1fr)_352px]" isOpen={location.id !== undefined}>
      <AccountList current={account} onOpen={(number) => location.open(number)} onTransfer={(id) => location.open('-', id)} />
      {account === undefined ? (
        <Pane aria-label="Entries">
          <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink max-md:hidden">
            Choose an account, or type the number of a transfer.
          </p>
        </Pane>
      ) : (
        <AccountEntries
          key={account}
          number={account}
          current={transfer}
          onOpen={(id) => location.open(account, id)}
          onBack={() => location.open()}
        />
      )}
      {transfer === undefined ? (
        <Pane as="aside" aria-label="Transfer">
          <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink max-md:hidden">
            Choose an entry to see its transfer, the cause and related transfers.
          </p>
        </Pane>
      ) : (
        <TransferPane key={transfer} id={transfer} onOpen={(number, id) => location.open(number, id)} />
      )}
    </Split>
  )
}
