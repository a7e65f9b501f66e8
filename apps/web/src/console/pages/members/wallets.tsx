import { formatAmount } from '../../../ui/money-format.ts'
import { Panel } from '../../kit/panel.tsx'
import { WalletList } from '../../kit/wallet-list.tsx'
import type { MemberDetail } from './member.queries.ts'

/** Lists a member's wallets, with their value at today's coin price. */
export function Wallets({ detail }: { detail: MemberDetail }) {
  const { balances, held, worthUsd, coinPrice } = detail
  return (
    <Panel
      title="Wallets"
      right={
        <span className="text-faint">
          worth ≈ {formatAmount(worthUsd)} USD at {formatAmount(coinPrice, 4)}
        </span>
      }
    >
      <div className="px-4 pt-1 pb-4">
        <WalletList balances={balances} held={held} />
      </div>
    </Panel>
  )
}
