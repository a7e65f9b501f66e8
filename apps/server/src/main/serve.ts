/** `npm start`: signals first, then all the rest (`process/serve.ts`). */
import { noopShutdown, onTermination } from './termination.ts'

onTermination(noopShutdown)
await import('./process/serve.ts')
