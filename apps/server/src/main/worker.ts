/** `npm run worker`: signals first, then all the rest (`process/worker.ts`). What `--once` does is cut by a signal, which says so. */
import { nothingInHand, onTermination } from './termination.ts'

if (!process.argv.includes('--once')) onTermination(nothingInHand)
await import('./process/worker.ts')
