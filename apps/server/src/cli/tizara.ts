/** `tizara COMMAND …`: signals first, for what runs until one comes, then all the rest (`cli/process/tizara.ts`). */
import { noopShutdown, onTermination } from '../main/termination.ts'

if (process.argv[2] === 'api' || (process.argv[2] === 'worker' && !process.argv.includes('--once'))) onTermination(noopShutdown)
await import('./process/tizara.ts')
