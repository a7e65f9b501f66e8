import { cancelHotWalletPayout, staffHotWallet } from '@tizara/contract/staff-hot-wallet'
import { useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Address, ChainTransaction } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Amount } from '../../kit/amount.tsx'
import { Heads } from '../../kit/heads.tsx'
import { useMay } from '../../kit/me.tsx'
import { Panel } from '../../kit/panel.tsx'
import { sendingStates } from '../../kit/sending-states.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly, utcAndLocal } from '../../kit/when.ts'
import type { HotWallet } from './hot-wallet.types.ts'

type Move = HotWallet['moves'][number]

/** Lists the newest cold moves and proceeds. An open one can be cancelled. */
export function ColdMoves({ moves }: { moves: readonly Move[] }) {
  const may = useMay('cancelHotWalletPayout')
  const [cancelling, setCancelling] = useState<Move>()
  return (
    <Panel title="Moves and proceeds" right="the newest 20" className="mt-3">
      {moves.length === 0 ? (
        <p className="px-4 py-3 text-muted">No moves yet.</p>
      ) : (
        <Table folds>
          <Heads columns={['Amount', 'Kind', 'To', 'State', 'Approved', 'Transaction', ['Cancel', 'sr']]} />
          <tbody>
            {moves.map((move) => (
              <tr key={move.id}>
                <td>
                  <Amount asset={move.asset} value={move.amount} />
                </td>
                <td data-label="Kind">{move.kind === 'proceeds' ? 'Proceeds' : 'Cold storage'}</td>
                <td data-label="To">
                  <Address value={move.address} className="text-xs" />
                </td>
                <td data-label="State">
                  {sendingStates[move.state]}
                  {move.cancelling && <span className="block text-xs text-muted">Cancellation requested; it may still arrive</span>}
                  {move.problem !== undefined && <span className="block text-xs text-warning">{plain(move.problem)}</span>}
                </td>
                <td data-label="Approved" title={utcAndLocal(move.createdAt)}>
                  {briefly(move.createdAt)} UTC
                </td>
                <td data-label="Transaction">
                  {move.txHash === undefined ? '–' : <ChainTransaction hash={move.txHash} url={move.txUrl} />}
                </td>
                <td data-label="Cancel">
                  {may && move.endedAt === undefined && !move.cancelling && (
                    <Button size="sm" onClick={() => setCancelling(move)}>
                      Cancel
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {cancelling !== undefined && (
        <ActDialog
          title="Cancel this move"
          effects={[
            cancelling.state === 'QUEUED'
              ? 'It is not signed yet: the money stays in the hot wallet.'
              : `It is signed and may still arrive at the ${cancelling.kind === 'proceeds' ? "operator's" : 'cold'} address.`,
            ...(cancelling.kind === 'proceeds' ? ['The amount returns to the sales fund when it is certain not to arrive.'] : []),
          ]}
          verb="Cancel the move"
          keep="Keep the move"
          danger
          draft={`cold-move:${cancelling.id}`}
          onDo={async (reason) => {
            const { message } = await call(cancelHotWalletPayout, { params: { id: cancelling.id }, body: { reason } })
            toast(message)
            await refetch(staffHotWallet)
          }}
          onClose={() => setCancelling(undefined)}
        />
      )}
    </Panel>
  )
}
