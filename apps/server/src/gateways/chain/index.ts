/**
 * The chain that in-app invoices are paid on (BEP20): where a payment has to go, and what has arrived there.
 *
 * - `ChainGateway` is the port that the deposits module uses.
 * - `createSandboxChain` is the play chain of the sandbox: payments are made with play money, blocks follow the clock.
 */
export type { ChainGateway, ChainTransfer } from './chain.ts'
export { createSandboxChain, type SandboxChain } from './sandbox-chain.ts'
