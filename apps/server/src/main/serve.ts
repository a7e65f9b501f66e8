/** `npm start`: installs the signal handlers, then loads the rest (`process/serve.ts`). */
import { noopShutdown, onTermination } from './termination.ts'

onTermination(noopShutdown)
await import('./process/serve.ts')
