/** `tizara COMMAND …`: signal handling first, for long-running commands, then the rest (`cli/process/tizara.ts`). */
import { noopShutdown, onTermination } from '../platform/runtime/termination.ts'

if (process.argv[2] === 'api' || (process.argv[2] === 'worker' && !process.argv.includes('--once'))) onTermination(noopShutdown)
await import('./process/tizara.ts')
