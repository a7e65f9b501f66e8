/**
 * `npm run languages -- check`: checks the languages of the product and of `languages/` in the data folder. Names each missing
 * text, each missing or additional placeholder, HTML, and each file that is no catalogue. Exits with 0 if there are no problems,
 * and with 1 otherwise. Reads the settings, but neither a database nor a network.
 */
import { languagesOf } from '../platform/config/languages.ts'
import { printable } from '../platform/config/printable.ts'
import { readConfigOrExit } from '../main/read-config.ts'
import { commandLine } from './command-line.mjs'

commandLine('languages')
const { offered, problems } = languagesOf(readConfigOrExit())
for (const problem of problems) console.error(printable(problem))
for (const { language, name, reviewed } of offered)
  console.log(`${language} ${printable(name)}: offered${reviewed ? '' : ', not reviewed by a native speaker'}`)
if (offered.length === 0) console.log('Only English is offered')
if (problems.length > 0) process.exitCode = 1
