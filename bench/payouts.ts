/**
 * `npm run bench -- payouts`: compares signing, storing and sending approved payouts with sending the same number of presigned
 * transactions in equal batches, in turns. Later chain work is not timed. Required: at least 200 payouts a second. Options:
 * `--batch 100`, `--batches 5` a round, `--rounds 3`.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { keySigner, chainNode } from '../apps/server/src/gateways/chain/index.ts'
import { runJob } from '../apps/server/src/jobs/job.ts'
import { sendingJobs } from '../apps/server/src/modules/withdrawals/index.ts'
import { approvalMac } from '../apps/server/src/modules/withdrawals/sending/approval-mac.ts'
import { systemClock } from '../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { randomIds } from '../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../apps/server/src/platform/runtime/log.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startChain } from '../test/chain/anvil.ts'
import { startPostgres } from '../test/postgres.ts'

const { values } = readArguments(import.meta.url, {
  batch: { type: 'string', default: '100' },
  batches: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '3' },
})
const [batch, batches, rounds] = [Number(values.batch), Number(values.batches), Number(values.rounds)]
const COIN = 10n ** 18n
const PRICE = 1_000_000_000n
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
const someone = () => `0x${randomBytes(20).toString('hex')}`
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const chain = await startChain()
const server = await startPostgres()
const database = openDatabase({ url: server.url }, { max: 4 })
const { db } = database
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') }
const [ours, theirs] = [keySigner(randomBytes(32)), keySigner(randomBytes(32))]
const token = chain.token.toLowerCase()
const node = chainNode(chain.url)
let filed = 0

/** Enqueues approved payouts of any member. */
async function queue(count: number): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (let made = 0; made < count; made += 1) {
      filed += 1
      const payment = { payoutId: `payout-${filed}`, chainId: chain.chainId, token, to: someone(), amount: COIN }
      await sql`
        insert into payout_request (id, public_id, kind, member_id, amount, platform_fee, network_fee, received, address, network, status, hold_id,
          settings_version, created_at, decided_by, decided_at, confirm_by, confirmed_at, confirmed_how, owner_mac) overriding system value
        values (${filed}, ${payment.payoutId}, 'bridge', 1, 100000000, 0, 0, 100000000, ${payment.to}, 0, 'APPROVED', ${filed},
          1, ${now}, 2, ${now}, ${now}, ${now}, 'book', '')`.execute(tx)
      await sql`
        insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at)
        values (${filed}, ${chain.chainId}, ${token}, ${payment.to}, ${String(COIN)}::numeric, ${approvalMac(deps.config, payment)}, ${now})`.execute(
        tx,
      )
    }
  })
}

/** Ends mined payouts as final, so that no payout is open when a batch starts. */
const settle = () =>
  sql`update payout_sending set state = 'DONE', ended_at = now() where state in ('SIGNED', 'MINED')`.execute(db).then(() => chain.mine())

const [sweep] = sendingJobs({
  rpcUrl: chain.url,
  signer: () => Promise.resolve(ours),
  rules: {
    chainId: chain.chainId,
    maxGasPrice: 100n * PRICE,
    inFlight: batch,
    hourLimits: new Map([[token, 10n ** 9n * COIN]]),
    stuckSeconds: 180,
  },
})

try {
  if (sweep === undefined) throw new Error('no sweep')
  await migrate(database.pool)
  for (const { address } of [ours, theirs]) {
    await chain.call('anvil_setBalance', address, `0x${(1000n * COIN).toString(16)}`)
    await chain.send(address, 1_000_000n * COIN)
  }
  await chain.mine()
  // Runs all code once before the measurement, and opens the wallet.
  await queue(batch)
  await runJob(db, deps, sweep, 'bench')
  await settle()
  const times = { bare: [] as number[], sent: [] as number[] }
  let busy = 0
  let nonce = 0
  for (let round = 0; round < rounds; round += 1) {
    let [bare, sent] = [0, 0]
    for (let one = 0; one < batches; one += 1) {
      const raws: string[] = []
      for (let made = 0; made < batch; made += 1) {
        const transfer = { token, to: someone(), amount: COIN }
        raws.push((await theirs.sign({ chainId: chain.chainId, from: theirs.address, nonce: nonce + made, gasPrice: PRICE, transfer })).raw)
      }
      nonce += batch
      bare += await timed(() => node.send(raws))
      await chain.mine()
      await queue(batch)
      const cpu = process.cpuUsage()
      sent += await timed(() => runJob(db, deps, sweep, 'bench'))
      const used = process.cpuUsage(cpu)
      busy += used.user + used.system
      await settle()
    }
    times.bare.push(bare)
    times.sent.push(sent)
  }
  const needed = batch * (1 + batches * rounds)
  const onChain = await node.nonceOf(ours.address)
  const stored = await sql<{ count: number }>`select count(*)::int as count from signed_transaction`.execute(db)
  if (onChain !== needed || stored.rows[0]?.count !== needed)
    throw new Error(`${onChain} are on the chain, ${stored.rows[0]?.count} stored, of ${needed}`)
  console.log(`${batch * batches} payouts a round, ${batch} at once`)
  console.log(`bare calls ${times.bare.map(Math.round).join(', ')} ms; signed, stored and sent ${times.sent.map(Math.round).join(', ')} ms`)
  console.log(`${(busy / 1000 / (batch * batches * rounds)).toFixed(2)} ms of this process's CPU a payout`)
  console.log(`${Math.round((batch * batches) / (mean(times.sent) / 1000))} payouts a second (required 200)`)
  console.log(`ratio: ${(mean(times.bare) / mean(times.sent)).toFixed(2)}`)
} finally {
  await database.close()
  await server.stop()
  await chain.stop()
}
