import { type ComponentType, type LazyExoticComponent, Suspense, useEffect } from 'react'
import { BuyTokenDialog, loadBuyToken } from '../coin/index.ts'
import { DepositDialog, loadDeposit, loadTokenDeposit, TokenDepositDialog } from '../deposits/index.ts'
import {
  ConvertDialog,
  ExchangeDialog,
  loadConvert,
  loadExchange,
  loadMyToDeposit,
  loadNftToDeposit,
  loadRcm,
  loadSwap,
  loadUserTransfer,
  MyToDepositDialog,
  NftToDepositDialog,
  RcmDialog,
  SwapDialog,
  UserTransferDialog,
} from '../transfers/index.ts'
import { BridgeDialog, loadBridge, loadWithdraw, WithdrawDialog } from '../withdrawals/index.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
}

interface Entry {
  Dialog: LazyExoticComponent<ComponentType<DialogProps>>
  load: () => Promise<unknown>
}

/** The modals of wallet actions (UI-DASH-48), each fetched when it is first wanted. */
const dialogs = {
  deposit: { Dialog: DepositDialog, load: loadDeposit },
  payment: { Dialog: TokenDepositDialog, load: loadTokenDeposit },
  withdraw: { Dialog: WithdrawDialog, load: loadWithdraw },
  bridge: { Dialog: BridgeDialog, load: loadBridge },
  exchange: { Dialog: ExchangeDialog, load: loadExchange },
  convert: { Dialog: ConvertDialog, load: loadConvert },
  swap: { Dialog: SwapDialog, load: loadSwap },
  'nft-to-deposit': { Dialog: NftToDepositDialog, load: loadNftToDeposit },
  'user-transfer': { Dialog: UserTransferDialog, load: loadUserTransfer },
  'my-to-deposit': { Dialog: MyToDepositDialog, load: loadMyToDeposit },
  rcm: { Dialog: RcmDialog, load: loadRcm },
  'buy-token': { Dialog: BuyTokenDialog, load: loadBuyToken },
} as const satisfies Record<string, Entry>

/** The name of a modal, as `?open=` takes it too. */
export type DialogName = keyof typeof dialogs

const isName = (text: string): text is DialogName => Object.hasOwn(dialogs, text)

/** Reads `?open=`; null when it names no modal. */
export const readDialogName = (text: string | null): DialogName | null => (text !== null && isName(text) ? text : null)

/** Fetches the modals while nothing else happens, so that a press opens them at once. */
export function usePreloadedDialogs(): void {
  useEffect(() => {
    const load = (): void => {
      for (const entry of Object.values(dialogs)) entry.load().catch(() => undefined)
    }
    const timer = setTimeout(load, 2500)
    return () => clearTimeout(timer)
  }, [])
}

/** The modal that is open, if any. */
export function OpenDialog({ name, onClose }: { name: DialogName | null; onClose: () => void }) {
  if (name === null) return null
  const { Dialog } = dialogs[name]
  return (
    <Suspense fallback={null}>
      <Dialog open onClose={onClose} />
    </Suspense>
  )
}
