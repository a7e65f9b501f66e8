import { walletKeys } from '@tizara/contract/wallet-keys'
import { formatAmount } from '../../../ui/money-format.ts'
import { Amount } from '../../kit/amount.tsx'
import { Panel } from '../../kit/panel.tsx'
import { Heads } from '../../kit/heads.tsx'
import type { MemberDetail } from './member.queries.ts'

/** What a wallet is called, and what it holds. */
export const WALLETS = {
  depositWallet: ['Deposit', 'usd'],
  nativeWallet: ['Native', 'coin'],
  icoWallet: ['My Wallet', 'coin'],
  newIcoWallet: ['ICO', 'coin'],
  stakeWallet: ['Stake', 'coin'],
  nftWallet: ['NFT', 'usd'],
  rcmWallet: ['RCM', 'coin'],
} as const

export function Wallets({ detail }: { detail: MemberDetail }) {
  const { balances, held, worthUsd, coinPrice } = detail
  const heldOf = (wallet: string) => (wallet === 'depositWallet' ? held.usd : wallet === 'icoWallet' ? held.coin : 0n)
  return (
    <Panel
      title="Wallets"
      right={
        <span className="fnt">
          worth ≈ {formatAmount(worthUsd)} USD at {formatAmount(coinPrice, 4)}
        </span>
      }
    >
      <table className="d mt4">
        <Heads of={['Wallet', ['Balance', 'num'], ['Held', 'num']]} />
        <tbody>
          {walletKeys
            .filter((wallet) => wallet !== 'rcmWallet' || detail.member.isSpecialRcm || balances.rcmWallet > 0n)
            .map((wallet) => (
              <tr key={wallet}>
                <td>{WALLETS[wallet][0]}</td>
                <td className="num b">
                  <Amount value={balances[wallet]} asset={WALLETS[wallet][1]} />
                </td>
                <td className="num">{heldOf(wallet) === 0n ? '–' : <Amount value={heldOf(wallet)} asset={WALLETS[wallet][1]} />}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Panel>
  )
}
