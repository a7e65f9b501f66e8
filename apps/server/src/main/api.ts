/** `npm run api`: installs the signal handlers, then loads the rest (`process/api.ts`). */
import { noopShutdown, onTermination } from '../platform/runtime/termination.ts'

onTermination(noopShutdown)
await import('./process/api.ts')
