import type { Asset } from '@tizara/contract/wallet-keys'
import { metaContent } from './http/meta.ts'

/** Returns the unit beside an amount: USD or the token's symbol. */
export const unitOf = (asset: Asset): string => (asset === 'usd' ? 'USD' : metaContent('token-symbol', 'TIZARA'))
