import { nftValueAt } from '../src/modules/nfts/index.ts'
import { heldAt, paidOutSince } from '../src/modules/withdrawals/index.ts'

/** The reads of money outside the wallets, as main injects them. */
export const outside = { heldAt, nftValueAt, paidOutSince }
