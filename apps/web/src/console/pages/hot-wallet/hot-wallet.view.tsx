import { staffHotWallet } from '@tizara/contract/staff-hot-wallet'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Address } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import { Amount } from '../../kit/amount.tsx'
import { Heads } from '../../kit/heads.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { watch } from '../../kit/watch.ts'
import { briefly, utcAndLocal } from '../../kit/when.ts'
import { ColdMoves } from './cold-moves.tsx'
import type { HotWallet } from './hot-wallet.types.ts'
import { MoveDialog } from './move-dialog.tsx'

type Holding = HotWallet['holdings'][number]

/** `/staff/hot-wallet`: balances, ceilings, and moves to cold storage. */
export default function HotWalletView() {
  const wallet = useQuery(watch(staffHotWallet, {}))
  const [moving, setMoving] = useState<Holding>()
  const { data } = wallet
  const hasHoldings = data !== undefined && data.wallet !== null
  return (
    <Page
      title="Hot wallet"
      hint="The worker pays members from this address, and its key is online. Move what is above the ceiling to cold storage."
    >
      <Panel title="Balances" hint={hasHoldings ? <Address value={data.wallet ?? ''} /> : undefined}>
        <ListState
          query={wallet}
          rows={hasHoldings ? 1 : 0}
          none="No hot wallet yet"
          hint="The worker opens it when PAYOUTS is automatic and it has a key."
        />
        {hasHoldings && (
          <Table folds>
            <Heads columns={['Balance', 'Ceiling', 'Surplus', 'Read', ['Move', 'sr']]} />
            <tbody>
              {data.holdings.map((one) => (
                <HoldingRow key={one.asset} of={one} hasCold={data.coldAddresses.length > 0} onMove={() => setMoving(one)} />
              ))}
            </tbody>
          </Table>
        )}
      </Panel>
      {data !== undefined && <ColdAddresses of={data.coldAddresses} />}
      {data !== undefined && <ColdMoves moves={data.moves} />}
      {moving !== undefined && data !== undefined && (
        <MoveDialog holding={moving} addresses={data.coldAddresses} onClose={() => setMoving(undefined)} />
      )}
    </Page>
  )
}

function HoldingRow({ of, hasCold, onMove }: { of: Holding; hasCold: boolean; onMove: () => void }) {
  const id = useId()
  const may = useMay('proposeColdMove')
  const whoCan = useWhoCan('proposeColdMove')
  const why =
    of.ceiling === null ? 'No ceiling is set' : of.surplus === 0n ? 'Not above the ceiling' : hasCold ? undefined : 'No cold address is set'
  return (
    <tr>
      <td>{of.balance === null ? 'not read yet' : <Amount asset={of.asset} value={of.balance} />}</td>
      <td data-label="Ceiling">{of.ceiling === null ? 'none' : <Amount asset={of.asset} value={of.ceiling} />}</td>
      <td data-label="Surplus" className={of.surplus > 0n ? 'text-warning' : undefined}>
        <Amount asset={of.asset} value={of.surplus} />
        {of.aboveSince !== null && (
          <span className="block text-xs text-muted" title={utcAndLocal(of.aboveSince)}>
            since {briefly(of.aboveSince)} UTC
          </span>
        )}
      </td>
      <td data-label="Read">{of.readAt === null ? '–' : <span title={utcAndLocal(of.readAt)}>{briefly(of.readAt)} UTC</span>}</td>
      <td data-label="Move">
        {may ? (
          <>
            <Button
              size="sm"
              aria-disabled={why !== undefined}
              aria-describedby={why === undefined ? undefined : id}
              onClick={() => why === undefined && onMove()}
            >
              Move to cold storage
            </Button>
            {why !== undefined && (
              <span id={id} className="mt-1 block text-xs text-muted">
                {why}
              </span>
            )}
          </>
        ) : (
          <span className="text-xs text-faint">{whoCan} move it</span>
        )}
      </td>
    </tr>
  )
}

const ColdAddresses = ({ of }: { of: readonly string[] }) => (
  <Panel title="Cold addresses" right="set in RESERVE_ADDRESSES" className="mt-3">
    {of.length === 0 ? (
      <p className="px-4 py-3 text-muted">
        No cold addresses yet. Add one with the signature of its key to <code className="font-mono">RESERVE_ADDRESSES</code>, and restart
        the platform.
      </p>
    ) : (
      <ul className="px-4 py-3">
        {of.map((address) => (
          <li key={address} className="min-w-0 py-0.5">
            <Address value={address} />
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
