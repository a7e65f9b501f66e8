/** `npm run worker`: signals first, then all the rest (`process/worker.ts`). What `--once` does is cut by a signal, which says so. */
import { noopShutdown, onTermination } from './termination.ts'

if (!process.argv.includes('--once')) onTermination(noopShutdown)
await import('./process/worker.ts')
