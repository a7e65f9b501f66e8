/** `npm start`: signals first, then all the rest (`process/serve.ts`). */
import { nothingInHand, onTermination } from './termination.ts'

onTermination(nothingInHand)
await import('./process/serve.ts')
