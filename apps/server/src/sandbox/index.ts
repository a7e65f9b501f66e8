/**
 * The sandbox payment provider: a separate HTTP server with its own state, which speaks the hosted provider's published
 * API. Members pay there with test money. Never part of production. Also the development chain: a real EVM chain in a
 * child process with a test USD and a test coin. Invoices are paid and payouts arrive there, through the same code as on a
 * real chain.
 */
export { type SandboxProvider, startSandboxProvider } from './sandbox-provider.ts'
export { addPlayExplorer } from './chain/explorer.ts'
export { blockJob } from './chain/make-blocks.job.ts'
export { sandboxWallet } from './chain/sandbox-wallet.ts'
export { storyPaymentId } from './provider-wire.ts'
export { chainFolder, isDevChain, withDevChain } from './chain/running-chain.ts'
export { DevChainError, type DevChain, startDevChain } from './chain/start-dev-chain.ts'
