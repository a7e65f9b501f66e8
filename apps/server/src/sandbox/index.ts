/**
 * The sandbox payment provider: a second HTTP party with its own address, its own memory and its own opinion of what was
 * paid, that speaks the hosted provider's published API. Members pay there with play money. Never part of production.
 *
 * And the play chain: a real EVM chain in a child process with a play USD and a play coin. Invoices are paid and payouts arrive
 * there; what reads it and signs for it is what a real chain gets.
 */
export { type SandboxProvider, startSandboxProvider } from './sandbox-provider.ts'
export { addPlayExplorer } from './chain/explorer.ts'
export { blockSweep } from './chain/make-blocks.sweep.ts'
export { type PlayMoney, playMoney } from './chain/play-money.ts'
export { storyPaymentId } from './provider-wire.ts'
export { chainFolder, isPlayChain, withPlayChain } from './chain/running-chain.ts'
export { NoPlayChain, type PlayChain, startPlayChain } from './chain/start-play-chain.ts'
