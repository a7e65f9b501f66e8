/** `npm run worker`: signal handling first, then the rest (`process/worker.ts`). A signal cuts `--once`, which reports it. */
import { noopShutdown, onTermination } from '../platform/runtime/termination.ts'

if (!process.argv.includes('--once')) onTermination(noopShutdown)
await import('./process/worker.ts')
