import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HDKey } from '@scure/bip32'
import { byOne, createTestMember, payIn, TEST_PASSWORD, confirmPayoutAddress } from '../../apps/server/test/members.ts'
import { branchKeys, keySigner, type WalletNode, chainNode } from '../../apps/server/src/gateways/chain/index.ts'
import { writeKeystore } from '../../apps/server/src/gateways/chain/sending/keystore.ts'
import { approvePayout } from '../../apps/server/src/modules/withdrawals/index.ts'
import { systemClock } from '../../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'
import { type Database, inTransaction, openDatabase } from '../../apps/server/src/platform/db/database.ts'
import type { Deps } from '../../apps/server/src/platform/runtime/deps.ts'
import { randomIds } from '../../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../../apps/server/src/platform/runtime/log.ts'
import { startChain, type TestChain } from '../../test/chain/anvil.ts'
import { type Instance, openInstance } from './instance.ts'

/** Smallest units (10^-18) of one token, and platform units (10^-8) of one coin. */
const WEI_PER_TOKEN = 10n ** 18n
const UNITS_PER_COIN = 10n ** 8n
const MEMBERS = 10
const PAID_IN = 100_000n

/** Instance with a chain that mines continuously. */
export interface ChainInstance {
  instance: Instance
  chain: TestChain
  database: Database
  deps: Deps
  tokens: { usd: string; coin: string }
  node: WalletNode
  /** Returns the number of open invoices, payouts, token sweeps and network fees that are not booked. */
  open(): Promise<number>
  stopBlocks(): Promise<void>
  /** Returns differences between chain and books. */
  differences(): Promise<string[]>
  close(): Promise<void>
}

export async function openChainInstance(): Promise<ChainInstance> {
  const chain = await startChain({ chainId: 1_337 })
  const tokens = { usd: (await chain.deployToken()).toLowerCase(), coin: chain.token.toLowerCase() }
  const key = randomBytes(32)
  const branch = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'")
  const [hot, gas] = [keySigner(key).address, branchKeys(branch.privateExtendedKey ?? '', branch.publicExtendedKey ?? '').addressAt('gas')]
  for (const address of [hot, gas]) await chain.call('anvil_setBalance', address, `0x${WEI_PER_TOKEN.toString(16)}`)
  for (const token of Object.values(tokens)) await chain.send(hot, PAID_IN * WEI_PER_TOKEN, token)
  await chain.mine(13)
  const password = randomBytes(16).toString('hex')
  const instance = await openInstance({
    ACCESS_TOKEN_SECONDS: '3600',
    CHAIN_ID: '1337',
    CHAIN_RPC_URL: chain.url,
    CHAIN_SECOND_RPC_URL: chain.url,
    CHAIN_TOKEN: tokens.coin,
    CHAIN_USD_TOKEN: tokens.usd,
    CHAIN_XPUB: branch.publicExtendedKey ?? '',
    CHAIN_GAS_USD: '600',
    PAYOUTS: 'automatic',
    SWEEP_MIN_COIN: '20',
  })
  // Sets the worker's secrets for all processes, because the processes of a drill share one environment.
  for (const [name, secret] of [
    ['PAYOUT', key],
    ['SWEEP', Buffer.from(branch.privateExtendedKey ?? '')],
  ] as const) {
    const file = path.join(instance.folder, `${name}.json`)
    writeFileSync(file, writeKeystore(secret, password, { N: 1024, r: 8, p: 1 }))
    Object.assign(instance.env, { [`${name}_KEYSTORE`]: file, [`${name}_KEYSTORE_PASSWORD`]: password })
  }
  const database = openDatabase({ url: instance.postgres.url })
  const deps: Deps = { config: readConfig(instance.env), clock: systemClock, ids: randomIds, log: createLog('silent') }
  const node = chainNode(chain.url)
  let stopped = false
  const blocks = (async () => {
    for (; !stopped; await pause(250)) await chain.mine(1)
  })()
  const ask = async (text: string) => (await database.pool.query<Record<string, string>>(text)).rows
  return {
    instance,
    chain,
    database,
    deps,
    tokens,
    node,
    async open() {
      const [row] = await ask(`select (select count(*) from chain_transfer where state <> 'FINAL' or swept_by is null)
        + (select count(*) from invoice_transfer where credited_at is null) + (select count(*) from chain_move where ended_at is null)
        + (select count(*) from payout_sending where ended_at is null)
        + (select count(*) from signed_transaction t where t.block is not null and not exists (select from network_cost c where c.hash = t.hash)) as n`)
      return Number(row?.['n'])
    },
    async stopBlocks() {
      stopped = true
      await blocks
    },
    async differences() {
      const differences: string[] = []
      const addresses = [hot, ...(await ask('select address from chain_address')).map(({ address = '' }) => address)]
      for (const [kind, token] of Object.entries(tokens)) {
        const held = (await node.tokensOf(token, addresses)).reduce((sum, one) => sum + one, 0n)
        const [books] = await ask(`select (select coalesce(sum(exact_amount), 0) from chain_transfer where token = '${token}')
          - (select coalesce(sum(exact_amount), 0) from payout_sending where token = '${token}' and state = 'DONE') as n`)
        if (held - PAID_IN * WEI_PER_TOKEN !== BigInt(books?.['n'] ?? 0))
          differences.push(`${kind}: the chain holds ${held}, the books say ${books?.['n']} more`)
      }
      let native = 0n
      for (const address of [gas, ...addresses]) native += await node.nativeBalanceOf(address)
      const [spent] = await ask('select coalesce(sum(wei), 0) as n from network_cost')
      if (native + BigInt(spent?.['n'] ?? 0) !== 2n * WEI_PER_TOKEN)
        differences.push(`gas: spent ${2n * WEI_PER_TOKEN - native}, but recorded ${spent?.['n']}`)
      return differences
    },
    async close() {
      await database.close()
      await instance.close()
      await chain.stop()
    },
  }
}

/** Starts members who pay invoices and request payouts until a stop. */
export async function startUsers({ instance, chain, database: { db, pool }, deps, tokens, node }: ChainInstance) {
  const staff = await createTestMember(db, { role: 'ADMIN' })
  const paid = new Map<string, bigint>()
  const payouts = new Map<string, { to: string; token: string; amount: bigint }>()
  let stopped = false
  /** Repeats a call until a response arrives, because a process may be killed at any time. */
  async function call(route: string, body: unknown, token = ''): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json', authorization: token, 'idempotency-key': randomUUID() }
    for (let attempts = 0; attempts < 600; attempts += 1) {
      const answer = await fetch(`http://127.0.0.1:${instance.port}/api/v1${route}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }).catch(() => undefined)
      if (answer?.ok === true) return (await answer.json()) as Record<string, unknown>
      if (answer !== undefined && answer.status < 500 && answer.status !== 429)
        throw new Error(`${route}: ${answer.status} ${await answer.text()}`)
      await pause(100)
    }
    throw new Error(`${route}: no answer`)
  }

  async function pay(token: string): Promise<void> {
    const [asset, amount] = [randomInt(2) === 0 ? ('usd' as const) : ('coin' as const), BigInt(randomInt(20, 60))]
    const opened = (await call('/autoPayRoutes/create-invoice', { amount: Number(amount), asset }, token)) as {
      data: { data: { invoice_id: string } }
    }
    const id = opened.data.data.invoice_id
    const { rows } = await pool.query<{ address: string }>('select address from deposit where public_id = $1', [id])
    await chain.send(rows[0]?.address ?? '', amount * WEI_PER_TOKEN, tokens[asset])
    paid.set(id, amount * UNITS_PER_COIN)
  }

  async function requestPayout(id: bigint, token: string): Promise<void> {
    const to = `0x${randomBytes(20).toString('hex')}`
    await confirmPayoutAddress(db, id, to)
    const body = { amount: randomInt(20, 60), address: to }
    const filed = (await call('/deposit-wallet/transfer-deposit-wallet', body, token)) as { data: { receipt: { id: string } } }
    const payoutId = filed.data.receipt.id
    await inTransaction(db, (tx) => approvePayout(tx, deps, { payoutId, staffId: staff.id, reason: 'drill', ...byOne }))
    const { received } = await db
      .selectFrom('payout_request')
      .select('received')
      .where('public_id', '=', payoutId)
      .executeTakeFirstOrThrow()
    payouts.set(payoutId, { to, token: tokens.usd, amount: received * 10n ** 10n })
  }

  const failed: string[] = []
  async function use(): Promise<void> {
    const member = await createTestMember(db)
    await payIn(db, deps, member.id, 10_000n * UNITS_PER_COIN)
    const signedIn = (await call('/auth/login', { email: member.email, password: TEST_PASSWORD })) as { data: { token: string } }
    while (!stopped) {
      const work = randomInt(2) === 0 ? pay(signedIn.data.token) : requestPayout(member.id, signedIn.data.token)
      await work.catch((error: unknown) => failed.push(String(error)))
      await pause(randomInt(500, 1_500))
    }
  }
  const running = Promise.all(Array.from({ length: MEMBERS }, use))
  return {
    async stop() {
      stopped = true
      await running
    },
    summary: () => `${paid.size} invoices paid, ${payouts.size} payouts approved`,
    /** Returns one sentence per missing, duplicate or rejected payment. */
    async differences() {
      const differences = [...failed]
      for (const [id, amount] of paid) {
        const { rows } = await pool.query<{ n: string; sum: string }>(
          `select count(*) as n, coalesce(sum(amount), 0) as sum from ledger_transfer where cause_type = 'deposit' and cause_id = $1`,
          [id],
        )
        if (Number(rows[0]?.n) !== 1 || BigInt(rows[0]?.sum ?? 0) !== amount)
          differences.push(`invoice ${id}: ${rows[0]?.n} credits of ${rows[0]?.sum}`)
      }
      for (const [id, { to, token, amount }] of payouts) {
        const got = await node.tokenOf(token, to)
        if (got !== amount) differences.push(`payout ${id}: ${got} arrived instead of ${amount}`)
      }
      return differences
    },
  }
}
