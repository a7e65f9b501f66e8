/** NFTs: the catalogue, purchases and the form that buys one. */
export { useActiveNfts } from './nfts.queries.ts'
export { kindNames, type Supply, supplyOfKind } from './nfts.rules.ts'
export { NftCard } from './nft-card.tsx'
export { BuyNftDialog, type BuyNftDialogProps } from './buy-nft.dialog.tsx'
