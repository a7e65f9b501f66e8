/**
 * `npm run staff -- help`: staff calls from a terminal. Sends the calls of the contract over HTTP with a session of its
 * own, so the console's rules apply. Exits with 0, with 1 if the server rejects the call, with 2 for an invalid command line.
 */
import { runStaff } from './staff/run.ts'
import { configuredPlatform } from './staff/configured-platform.ts'

const result = await runStaff(process.argv.slice(2), configuredPlatform())
if (result.code === 0) console.log(result.text)
else console.error(result.text)
process.exitCode = result.code
