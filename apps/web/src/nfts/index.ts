/** NFTs: the catalogue, purchases and the form that buys one. */
export { BuyNftDialog, type BuyNftDialogProps } from './buy-nft.dialog.tsx'
