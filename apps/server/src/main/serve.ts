/** `npm start`: installs the signal handlers, then loads the rest (`process/serve.ts`). */
import { noopShutdown, onTermination } from '../platform/runtime/termination.ts'

onTermination(noopShutdown)
await import('./process/serve.ts')
