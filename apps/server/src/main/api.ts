/** `npm run api`: signals first, then all the rest (`process/api.ts`). */
import { nothingInHand, onTermination } from './termination.ts'

onTermination(nothingInHand)
await import('./process/api.ts')
