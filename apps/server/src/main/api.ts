/** `npm run api`: signals first, then all the rest (`process/api.ts`). */
import { noopShutdown, onTermination } from './termination.ts'

onTermination(noopShutdown)
await import('./process/api.ts')
