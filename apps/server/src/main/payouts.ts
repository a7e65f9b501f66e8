/**
 * `npm run payouts -- doctor`: what payouts on the chain lack; ends with 0 when nothing does. `payouts adopt HASH...`: takes
 * payments into the books that the hot wallet made and this database has forgotten, in their order. It takes a shell, and whoever
 * has one has the database anyway.
 */
import { walletNode } from '../gateways/chain/index.ts'
import { adoptPaid } from '../modules/withdrawals/index.ts'
import { inTransaction } from '../platform/database.ts'
import { typed } from '../platform/release.ts'
import { createDeps } from './deps.ts'
import { worst } from './doctor/finding.ts'
import { payoutFindings } from './doctor/payouts.ts'
import { openConfigured } from './open-database.ts'

const [what, ...hashes] = process.argv.slice(2)
if (what === 'doctor' || (what === 'adopt' && hashes.length > 0)) await run()
else {
  console.error(`Usage: ${typed('payouts doctor')}\n       ${typed('payouts adopt HASH...')}`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const deps = createDeps()
  const { chain } = deps.config
  const { db, close } = await openConfigured(deps.config, { limits: false })
  try {
    if (what === 'doctor') {
      const findings = await payoutFindings(db, deps.config, deps.clock.now())
      for (const { state, what: said, mend } of findings)
        console.log(`${state.padEnd(8)} ${said}${mend === undefined ? '' : `\n         ${mend}`}`)
      if (worst(findings) !== 'good') process.exitCode = 2
      return
    }
    if (chain === undefined) throw new Error('no chain is configured (CHAIN_RPC_URL)')
    const node = walletNode(chain.rpcUrl)
    for (const hash of hashes) {
      const id = await adoptPaid((work) => inTransaction(db, work), deps, { node, chainId: chain.chainId, hash: hash.toLowerCase() })
      console.log(`${hash} paid ${id}`)
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  } finally {
    await close()
  }
}
