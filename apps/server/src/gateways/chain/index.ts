/**
 * The chain that in-app invoices are paid on (BEP20): where a payment has to go, and what has arrived there.
 *
 * - `ChainGateway` is the port that the deposits module uses.
 * - `createEvmChain` is a real chain as web processes see it, `chainSweeps` the watcher that reads it.
 * - `createSandboxChain` is the play chain of the sandbox: payments are made with play money, blocks follow the clock.
 * - `openSigner` opens the key of the hot wallet, and `walletNode` is a node by which payouts are sent.
 */
export type { ChainGateway, ChainTransfer } from './chain.ts'
export { type ChainSettings, chainSweeps } from './chain.jobs.ts'
export { chainHealth, checkSources } from './chain-health.ts'
export { createEvmChain } from './evm-chain.ts'
export { createSandboxChain, type SandboxChain } from './sandbox-chain.ts'
export { explorerLink } from './explorer-link.ts'
export { isOwnAddress } from './chain-transfers.ts'
export { keySigner, type KeystoreAt, openSigner, type PayoutSigner, type RemoteSignerAt } from './sending/signer.ts'
export { writeKeystore } from './sending/keystore.ts'
export { GAS_LIMIT, type SignedOrder } from './sending/transfer-order.ts'
export { type Mined, type Sent, type WalletNode, walletNode } from './sending/wallet-node.ts'
