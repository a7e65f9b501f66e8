import type { Asset } from '@tizara/contract/wallets'
import { useAppConfig } from '../../settings/index.ts'
import { Money, type MoneyProps } from '../../ui/money.tsx'

/** USD, or the coin by its sign. */
export function useUnit(): (asset: Asset) => string {
  const { tokenSymbol } = useAppConfig()
  return (asset) => (asset === 'usd' ? 'USD' : tokenSymbol)
}

/** An amount with its unit beside it. */
export function Amount({ asset, ...money }: Omit<MoneyProps, 'unit'> & { asset: Asset }) {
  return <Money {...money} unit={useUnit()(asset)} />
}
