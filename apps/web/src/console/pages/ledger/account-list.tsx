import type { ReplyOf } from '@tizara/contract'
import { staffLedgerAccounts } from '@tizara/contract/staff-ledger'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Search from 'lucide-react/icons/search'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useDeferredValue, useRef, useState } from 'react'
import { cx } from '../../../ui/cx.ts'
import { ListState } from '../../kit/list-parts.tsx'
import { useOverview } from '../../kit/overview.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { watch } from '../../kit/watch.ts'
import { utcAndLocal } from '../../kit/when.ts'
import { ShortAmount } from './short-amount.tsx'
import { Pane, PaneBar, PaneFoot } from '../../../ui/split.tsx'
import { findClass } from '../../kit/find-class.ts'
import { Kbd } from '../../../ui/kbd.tsx'

type Account = ReplyOf<typeof staffLedgerAccounts>[number]

export interface AccountListProps {
  current: string | undefined
  onOpen: (number: string) => void
  onTransfer: (id: string) => void
}

/** Lists system accounts by asset, or the wallets of the member searched for. */
export function AccountList({ current, onOpen, onTransfer }: AccountListProps) {
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const field = useRef<HTMLInputElement>(null)
  const list = useQuery(watch(staffLedgerAccounts, { query: q === '' ? {} : { q } }))
  useKeys({ '/': () => field.current?.focus() })
  const rows = list.data ?? []
  const groups: [string, Account[]][] =
    q === ''
      ? [
          ['Platform, coin', rows.filter((row) => row.asset === 'coin')],
          ['Platform, USD', rows.filter((row) => row.asset === 'usd')],
        ]
      : [...Map.groupBy(rows, (row) => row.member?.email ?? '')]
  return (
    <Pane aria-label="Accounts">
      <PaneBar>
        <form
          className={findClass()}
          onSubmit={(event) => {
            event.preventDefault()
            if (/^[1-9]\d*$/.test(q)) onTransfer(q)
          }}
        >
          <Search size={14} aria-hidden="true" />
          <input
            ref={field}
            aria-label="Member, account or transfer"
            placeholder="Member, account or transfer"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Kbd>/</Kbd>
        </form>
      </PaneBar>
      <div className="min-h-0 flex-1 md:overflow-auto">
        <ListState
          query={list}
          rows={rows.length}
          none="No account yet"
          filtered={q === '' ? undefined : { none: 'No member matches. Enter opens a transfer by its number', clear: '/staff/ledger' }}
        />
        {groups.map(([title, accounts]) =>
          accounts.length === 0 ? null : (
            <section key={title} aria-label={title}>
              <h2 className="text-xs text-faint font-semi px-3.5 pt-2.5 pb-1">{plain(title)}</h2>
              {accounts.map((account) => (
                <button
                  key={account.number}
                  type="button"
                  className={cx(
                    'grid w-full cursor-pointer grid-cols-[minmax(0,1fr)_auto] gap-x-2 border-b px-3.5 py-[7px] text-left [&_.text-xs]:col-span-full',
                    account.number === current ? 'bg-accent-soft shadow-[inset_3px_0_var(--accent-line)]' : 'hover:bg-raised',
                  )}

                  aria-current={account.number === current ? 'true' : undefined}
                  onClick={() => onOpen(account.number)}
                >
                  <span className={account.member === undefined ? 'font-semi font-mono text-xs' : 'font-semi truncate'}>
                    {account.name}
                  </span>
                  <span className="text-right whitespace-nowrap font-semi">
                    <ShortAmount asset={account.asset} value={account.balance} />
                  </span>
                  <span className="text-xs text-faint truncate">{plain(account.hint)}</span>
                </button>
              ))}
            </section>
          ),
        )}
      </div>
      <Sum />
    </Pane>
  )
}

/** Shows the result of the last ledger check. */
function Sum() {
  const ledger = useOverview().data?.ledger
  if (!ledger) return <PaneFoot className="text-xs text-muted">Not checked yet</PaneFoot>
  return (
    <div className={ledger.ok ? 'foot text-xs text-success' : 'foot text-xs text-danger'} title={utcAndLocal(ledger.at)}>
      {ledger.ok ? <Check size={12} aria-hidden="true" /> : <TriangleAlert size={12} aria-hidden="true" />}
      {ledger.ok ? 'Every asset adds up to 0' : 'The accounts do not add up to 0'}
    </div>
  )
}
