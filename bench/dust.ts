/**
 * `npm run bench -- dust`: compares a credit beside an invoice that received 3,000 transfers of 0.01 with a credit without it, in
 * turns. Required: a median difference of at most 100 ms. Options: `--transfers 3000`, `--rounds 40`.
 */
import { randomBytes } from 'node:crypto'
import { ONE } from '@tizara/money'
import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { createTestMember } from '../apps/server/test/members.ts'
import { openGeneration } from '../apps/server/src/gateways/chain/address-generations.ts'
import { finalMac } from '../apps/server/src/gateways/chain/final-transfer.ts'
import { createEvmChain } from '../apps/server/src/gateways/chain/index.ts'
import { createInvoice } from '../apps/server/src/modules/deposits/invoices/create-invoice.ts'
import { watchInvoices } from '../apps/server/src/modules/deposits/invoices/watch-invoices.ts'
import { testClock } from '../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { randomIds } from '../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../apps/server/src/platform/runtime/log.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { percentile } from './lib/api-process.ts'

const { values } = readArguments(import.meta.url, {
  transfers: { type: 'string', default: '3000' },
  rounds: { type: 'string', default: '40' },
})
const [count, rounds] = [Number(values.transfers), Number(values.rounds)]
const [CHAIN_ID, TOKEN, HEAD] = [56, `0x${'c0'.repeat(20)}`, 100]

const server = await startPostgres()
const database = openDatabase({ url: server.url }, { max: 4 })
const { db } = database
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') }
const chain = createEvmChain(
  { chainId: CHAIN_ID, token: TOKEN, decimals: 18, xpub: HDKey.fromMasterSeed(randomBytes(32)).publicExtendedKey },
  deps.config,
)
let creditedAt = 0
let awaited = 0n
const lease = {
  stopping: () => false,
  read: <T>(query: (from: typeof db) => Promise<T>) => query(db),
  async inTransaction<T>(work: Parameters<typeof inTransaction<T>>[1]) {
    const done = await inTransaction(db, work)
    const { rows } = await sql`select from invoice_transfer where deposit_id = ${awaited} and credited_at is not null`.execute(db)
    if (creditedAt === 0 && rows.length > 0) creditedAt = performance.now()
    return done
  },
}

/** Opens an invoice of a new member. */
async function open(): Promise<{ id: bigint; address: string }> {
  const { id: memberId } = await createTestMember(db)
  const { invoiceId } = await inTransaction(db, (tx) => createInvoice(tx, deps, { chain }, { memberId, amount: 10n * ONE, asset: 'COIN' }))
  const found = await db.selectFrom('deposit').select(['id', 'address']).where('public_id', '=', invoiceId).executeTakeFirstOrThrow()
  return { id: found.id, address: found.address ?? '' }
}

/** Stores final transfers to an address, as the watcher does, and schedules the poll of the invoice. */
async function pay(address: string, amount: bigint, transfers: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (let made = 0; made < transfers; made += 1) {
      const facts = { chainId: CHAIN_ID, txHash: `0x${randomBytes(32).toString('hex')}`, token: TOKEN, address, ordinal: 0 }
      const exact = amount * 10n ** 10n
      const final = { ...facts, exact, amount, block: 50n, blockTime: clock.now(), balanceFits: true }
      await sql`
        insert into chain_transfer (chain_id, tx_hash, address, ordinal, token, exact_amount, amount, block, block_time, state, final_mac)
        values (${CHAIN_ID}, ${facts.txHash}, ${address}, 0, ${TOKEN}, ${String(exact)}::numeric, ${amount}, 50, ${final.blockTime}, 'FINAL',
          ${finalMac(deps.config, 'COIN', final)})`.execute(tx)
    }
    await tx.updateTable('deposit').set({ next_check_at: clock.now() }).where('address', '=', address).execute()
  })
}

/** Returns the time in ms from a poll to the credit of a new payment. */
async function timeCredit(): Promise<number> {
  const one = await open()
  await pay(one.address, 10n * ONE, 1)
  ;[creditedAt, awaited] = [0, one.id]
  const began = performance.now()
  await watchInvoices(lease as never, deps, chain)
  if (creditedAt === 0) throw new Error('the payment was not credited')
  return creditedAt - began
}

const median = (list: readonly number[]) => percentile(list, 0.5)
try {
  await migrate(database.pool)
  await sql`
    insert into chain_cursor (chain_id, block, block_hash, block_time, final_block, seen_at, head_at)
    values (${CHAIN_ID}, ${HEAD}, '0x', ${clock.now()}, ${HEAD - 12}, ${clock.now()}, ${clock.now()})`.execute(db)
  await inTransaction(db, (tx) => openGeneration(tx, clock.now()))
  const flooded = await open()
  const times = { quiet: [] as number[], flooded: [] as number[] }
  await timeCredit()
  for (let round = 0; round < rounds; round += 1) times.quiet.push(await timeCredit())
  await pay(flooded.address, ONE / 100n, count)
  for (let round = 0; round < rounds; round += 1) {
    // Makes the flooded invoice the first due one in each round.
    await db
      .updateTable('deposit')
      .set({ next_check_at: new Date(clock.now().getTime() - 1000) })
      .where('id', '=', flooded.id)
      .execute()
    times.flooded.push(await timeCredit())
  }
  const { rows } = await sql<{ done: number }>`
    select count(*)::int as done from invoice_transfer where deposit_id = ${flooded.id} and credited_at is not null`.execute(db)
  const [quiet, slow] = [median(times.quiet), median(times.flooded)]
  const longest = Math.max(...times.flooded)
  console.log(`${count} transfers of 0.01 to one invoice, ${rounds} rounds, of which ${rows[0]?.done} were credited meanwhile`)
  console.log(
    `credit of another payment: ${quiet.toFixed(1)} ms without them, ${slow.toFixed(1)} ms beside them, ${longest.toFixed(1)} ms at most`,
  )
  console.log(`difference: ${(slow - quiet).toFixed(1)} ms (required 100)`)
  console.log(`ratio: ${(quiet / slow).toFixed(2)}`)
} finally {
  await database.close()
  await server.stop()
}
