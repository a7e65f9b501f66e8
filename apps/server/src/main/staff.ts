/**
 * `npm run staff -- help`: what staff do, from a terminal. It speaks the calls of the contract over HTTP with a session of
 * its own, so that nobody does here what the console would refuse. Ends with 0, with 1 when the product refuses, with 2
 * when the command line is not understood.
 */
import { homedir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../platform/config.ts'
import { askSecret } from './staff/ask.ts'
import { runStaff } from './staff/run.ts'

const config = readConfig(process.env)
const ended = await runStaff(process.argv.slice(2), {
  baseUrl: new URL(config.apiBaseUrl, config.publicUrl).href,
  folder: path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config'), 'tizara'),
  ask: askSecret,
})
if (ended.code === 0) console.log(ended.text)
else console.error(ended.text)
process.exitCode = ended.code
