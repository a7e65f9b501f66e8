import { challengePayoutAddress, payoutGuard, provePayoutAddress } from '@tizara/contract/withdrawals-guard'
import { t } from '@tizara/languages'
import { useState } from 'react'
import { call } from '../../lib/http/api.ts'
import { type BrowserWallet, connectAccount, signText, useBrowserWallets, WalletError } from '../../lib/proofs/browser-wallet.ts'
import { refetch } from '../../lib/http/query.ts'
import { WalletList } from '../../lib/wallet-list.tsx'
import { Address } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast-store.ts'
import type { BookAddress } from './address-book.queries.ts'
import { rejectionText } from './rejection-text.ts'

/** Proves an address of the book by a signature of its wallet. */
export function ProveAddress({ entry: { id, address }, onClose }: { entry: BookAddress; onClose: () => void }) {
  const wallets = useBrowserWallets()
  const [error, setError] = useState<string>()

  async function prove(wallet: BrowserWallet): Promise<void> {
    setError(undefined)
    try {
      const account = await connectAccount(wallet)
      if (account !== address.toLowerCase())
        throw new WalletError('Your wallet uses another account. Choose the account of this address there.')
      const { message } = (await call(challengePayoutAddress, { params: { id } })).data
      const signature = await signText(wallet, account, message)
      await call(provePayoutAddress, { params: { id }, body: { signature } })
      toast(t('The address is proven'))
      onClose()
      await refetch(payoutGuard)
    } catch (failure) {
      setError(failure instanceof WalletError ? failure.message : rejectionText(failure))
    }
  }

  return (
    <div className="space-y-4">
      {error !== undefined && <Notice tone="danger">{error}</Notice>}
      <p>
        <Address value={address} className="break-all" />
      </p>
      <p className="text-sm text-muted">
        {t('Your wallet signs a message that names this address. Signing sends no money. Staff then see that you control the address.')}
      </p>
      {wallets.length === 0 ? (
        <Notice tone="warning">{t('This browser has no wallet. Open this page in a browser with the wallet of this address.')}</Notice>
      ) : (
        <WalletList wallets={wallets} onChoose={prove} />
      )}
    </div>
  )
}
