/** `npm run api`, `npm run worker` and the other commands: one of the server's entry points, with the project's Node. */
import { ensureBuilt, ensureInstalled, runEntry } from './start.mjs'

const [name = 'serve', ...args] = process.argv.slice(2)
ensureInstalled()
if (name === 'api' || name === 'serve') ensureBuilt()
runEntry(name, args)
