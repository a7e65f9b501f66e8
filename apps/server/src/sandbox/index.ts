/**
 * The sandbox payment provider: a second HTTP party with its own address, its own memory and its own opinion of what was
 * paid, that speaks the hosted provider's published API. Members pay there with play money. Never part of production.
 */
export { type SandboxProvider, startSandboxProvider } from './sandbox-provider.ts'
