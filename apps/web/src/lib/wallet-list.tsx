import Wallet from 'lucide-react/icons/wallet'
import { Button } from '../ui/button.tsx'
import type { BrowserWallet } from './proofs/browser-wallet.ts'

/** Lists the browser's wallets as buttons. Wallets of the same name also show their maker. */
export function WalletList({
  wallets,
  onChoose,
}: {
  wallets: readonly BrowserWallet[]
  onChoose: (wallet: BrowserWallet) => Promise<void>
}) {
  return (
    <ul className="flex flex-wrap gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <Button icon={<WalletIcon wallet={wallet} />} onClick={() => onChoose(wallet)}>
            {wallet.name}
            {wallets.some(({ id, name }) => id !== wallet.id && name === wallet.name) && ` (${wallet.rdns})`}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Shows a wallet's icon. The name is beside it. */
export function WalletIcon({ wallet: { icon } }: { wallet: BrowserWallet }) {
  if (icon === undefined) return <Wallet size={20} aria-hidden="true" />
  return <img src={icon} alt="" width={20} height={20} className="size-5 rounded" />
}
