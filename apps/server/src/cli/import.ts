/**
 * `npm run import -- check FOLDER`: checks the exported members and balances of another platform (docs/import.md) and changes
 * nothing. Prints the totals and one hash over all files. Exits with 0 if the files are valid, with 1 and every fault (the first
 * 1,000) if not, and with 2 for an unreadable folder. Needs no database.
 */
import { formatUnits } from '@tizara/money'
import { checkImport, formatFault, MAX_LISTED_FAULTS } from '../modules/import/index.ts'
import { printable } from '../platform/config/printable.ts'
import { commandLine } from './command-line.mjs'

const [, folder = ''] = commandLine('import').positionals

try {
  const { faults, totals, hash } = await checkImport(folder)
  if (faults.count > 0) {
    console.error(printable(faults.listed.map(formatFault).join('\n')))
    const more = faults.count > MAX_LISTED_FAULTS ? ` The first ${MAX_LISTED_FAULTS} are listed.` : ''
    console.error(`Faults: ${faults.count}.${more} Nothing can be imported.`)
    process.exitCode = 1
  } else {
    const counts = [
      ['members', totals.members],
      ['referrals', totals.referrals],
      ['special members', totals.specialMembers],
      ['members with a rank', totals.ranked],
    ]
    const sums = Object.entries(totals.balances).map(([wallet, sum]) => [wallet, formatUnits(sum)])
    console.log([...counts, ...sums].map(([label, value]) => `${String(label).padEnd(22)}${value}`).join('\n'))
    console.log(`hash: ${hash}`)
  }
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error)))
  process.exitCode = 2
}
