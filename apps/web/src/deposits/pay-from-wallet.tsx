import { t } from '@tizara/languages'
import { formatUnits } from '@tizara/money'
import { useState } from 'react'
import {
  type BrowserWallet,
  connectAccount,
  selectChain,
  sendTokens,
  type TokenPayment,
  useBrowserWallets,
  WalletError,
} from '../lib/proofs/browser-wallet.ts'
import { WalletIcon, WalletList } from '../lib/wallet-list.tsx'
import { Address, ChainTransaction } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { T } from '../ui/t.tsx'

/** Payment that a wallet reported: its hash, and the amount that was due then, in units. */
interface ReportedPayment {
  hash: string
  due: string
}

const keyOf = (id: string): string => `tizaraPaid ${id}`

/** Reads the reported payment, so that a reload of the page does not invite to a second one. */
function readReported(id: string): ReportedPayment | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null') as ReportedPayment | undefined) ?? undefined
  } catch {
    return undefined
  }
}

function saveReported(id: string, reported: ReportedPayment | undefined): void {
  try {
    if (reported === undefined) sessionStorage.removeItem(keyOf(id))
    else sessionStorage.setItem(keyOf(id), JSON.stringify(reported))
  } catch {
    // Without storage, the page shows the payment until a reload.
  }
}

export interface PayFromWalletProps {
  id: string
  payment: TokenPayment
  /** Amount to pay, in units. */
  due: bigint
  unit: string
}

/** Pays an invoice from a wallet of the browser. Only the watcher of the chain credits the payment. */
export default function PayFromWallet({ id, payment, due, unit }: PayFromWalletProps) {
  const wallets = useBrowserWallets()
  const [payer, setPayer] = useState<{ wallet: BrowserWallet; account: string }>()
  const [reported, setReported] = useState(() => readReported(id))
  const [error, setError] = useState<string>()
  if (wallets.length === 0 && reported === undefined) return null

  async function attempt(work: () => Promise<void>): Promise<void> {
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure instanceof WalletError ? failure.message : t('Your wallet reported an error.'))
      setPayer(undefined)
    }
  }

  const choose = (wallet: BrowserWallet) =>
    attempt(async () => {
      const account = await connectAccount(wallet)
      await selectChain(wallet, payment.chainId)
      setPayer({ wallet, account })
    })
  const pay = (by: { wallet: BrowserWallet; account: string }) =>
    attempt(async () => {
      const sent = { hash: await sendTokens(by.wallet, by.account, payment), due: String(due) }
      saveReported(id, sent)
      setReported(sent)
      setPayer(undefined)
    })
  function payAgain(): void {
    saveReported(id, undefined)
    setReported(undefined)
  }

  return (
    <section aria-labelledby="wallet-heading" className="mt-6 rounded-xl border p-4">
      <h2 id="wallet-heading" className="mb-3 text-sm font-semi">
        {t('Pay from a wallet in this browser')}
      </h2>
      {error !== undefined && (
        <Notice tone="danger" className="mb-3">
          {error}
        </Notice>
      )}
      {reported?.due === String(due) ? (
        <Notice
          role="status"
          title={t('Your wallet has sent the payment')}
          action={
            <Button size="sm" onClick={payAgain}>
              {t('The payment failed, pay again')}
            </Button>
          }
        >
          {t('This page shows the payment as soon as it is on the chain. Do not pay again meanwhile. Transaction')}{' '}
          <ChainTransaction hash={reported.hash} />
        </Notice>
      ) : payer === undefined ? (
        <WalletList wallets={wallets} onChoose={choose} />
      ) : (
        <>
          <p className="mb-3 flex flex-wrap items-center gap-2 text-sm">
            <WalletIcon wallet={payer.wallet} /> {payer.wallet.name}
            <Address value={payer.account} className="break-all" />
          </p>
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" onClick={() => pay(payer)}>
              <T text="Pay {due} {unit}" due={formatUnits(due)} unit={unit} />
            </Button>
            <Button onClick={() => setPayer(undefined)}>{t('Use another wallet')}</Button>
          </div>
          <p className="mt-2 text-sm text-muted">{t('Your wallet shows the payment. Confirm it there.')}</p>
        </>
      )}
    </section>
  )
}
