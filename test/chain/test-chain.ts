import { readExtent } from '../extent.ts'
import { startChain } from './anvil.ts'
import { startFakeChain } from './fake-chain.ts'

/** Starts the chain of a test: the fake one inside its process, or anvil with `npm test -- --all`, whose start and calls take longer. */
export const startTestChain = readExtent() === 'all' ? startChain : startFakeChain
