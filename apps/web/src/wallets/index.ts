/** Wallets: balances, names, units, and the base for every money form. */
export { AmountField } from './amount-field.tsx'
export { MoneyDialog } from './money-dialog.tsx'
export { showRejection } from './move-result.tsx'
export { arrives, availableNow, countsForReferral, fee, leaves, rate, remains, toAddress } from './preview.tsx'
export { type Bounds, readTyped } from './typed-amount.ts'
export { useMoneyForm } from './use-money-form.ts'
export { useWalletUnit, walletColor, walletNames, walletOrder } from './wallet-names.ts'
export {
  plannedRate,
  prefetchDashboardTop,
  tradePriceOf,
  useGeneralSettings,
  useHomeCount,
  useWalletHistory,
  useWalletHoldings,
  useWallets,
} from './wallet.queries.ts'
export { walletMessages } from './wallets.messages.ts'
