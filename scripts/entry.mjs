/** `npm run api`, `npm run worker` and the other commands: runs a server entry point with the project's Node. */
import { commandLine } from '../apps/server/src/cli/command-line.mjs'
import { ensureBuilt, ensureInstalled, passSignalsOn, runEntry } from './start.mjs'

const [name = 'serve', ...args] = process.argv.slice(2)
passSignalsOn()
const { values } = commandLine(name, args)
ensureInstalled()
if (name === 'api' || name === 'serve') ensureBuilt(values)
runEntry(name, args)
