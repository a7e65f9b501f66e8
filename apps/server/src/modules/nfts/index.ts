/**
 * NFTs: catalogue, platform-wide supply, purchases and holdings.
 * - Wire: `GET /nft/active-nft`, `POST /nft-purchese`, `GET /nft-purchese/history`, `GET /nft-wallets/my-nft-wallet`.
 * - Owns `nft`, `nft_next`, `nft_supply`, `nft_purchase`. Each sale hands over to rewards, which counts the monthly payments.
 * - Rules: one unit per purchase. Sales per kind never exceed its cap (invariant I9). The coin price is rounded up (invariant I19). Price
 * and coin price are those in force at commit (invariant I13).
 */
export { withActiveNft } from './active-members.queries.ts'
export { auditChecks } from './audit-checks.ts'
export { buyNft } from './buy-nft.ts'
export { type ImportedNft, importNfts, nftsByName } from './import-nfts.ts'
export { listCatalogue, nftsOnSale } from './catalogue.queries.ts'
export { nftValues, putNft, scheduleNft } from './put-nft.ts'
export { nftHistories } from './history.ts'
export { nftValueAt } from './nft-value.queries.ts'
export { readNfts } from './nfts.queries.ts'
export { nftStatus } from './nfts.rules.ts'
export { nftRoutes } from './nfts.routes.ts'
export { reverseNft } from './reverse-nft.ts'
export { takeSupply, unitsLeft } from './supply.ts'
export { nftTransfers } from './nfts.transfers.ts'
