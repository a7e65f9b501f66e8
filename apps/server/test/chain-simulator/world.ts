import { randomBytes } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { parseUnits, type Units } from '@tizara/money'
import { Client } from 'pg'
import { inject } from 'vitest'
import { startChain, type TestChain } from '../../../../test/chain/anvil.ts'
import { startFakeChain } from '../../../../test/chain/fake-chain.ts'
import { type FaultyNode, faultyNode } from '../../../../test/chain/faulty-node.ts'
import {
  branchKeys,
  chainJobs,
  type ChainSettings,
  createEvmChain,
  tokenSweepJob,
  keySigner,
  markRestored,
} from '../../src/gateways/chain/index.ts'
import { type Job, runJob } from '../../src/jobs/job.ts'
import { currentPause, post } from '../../src/ledger/index.ts'
import { depositJobs, type DepositPorts, wakeInvoices } from '../../src/modules/deposits/index.ts'
import { reconcileJob } from '../../src/modules/reconciliation/reconcile.job.ts'
import { sendingJobs } from '../../src/modules/withdrawals/index.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { movingClock, type TestClock, withFrozenClock } from '../../src/platform/runtime/clock.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import { randomIds } from '../../src/platform/runtime/ids.ts'
import { createLog } from '../../src/platform/runtime/log.ts'
import { TEMPLATE } from '../global-setup.ts'
import { onFileEnd } from '../on-file-end.ts'
import { createTestMember, fund, type TestMember } from '../members.ts'
import { payoutEnvironment } from '../sent-payouts.ts'
import { unusedProvider } from '../unused-provider.ts'

export const units = (text: string): Units => parseUnits(text) ?? 0n
/** Converts units to the tokens' smallest units, with 18 decimals. */
export const exactOf = (amount: Units): bigint => amount * 10n ** 10n

/** Coin and USD that each member owns at the start, in units. */
export const OWNED = units('10000')
const BEGIN = new Date('2026-03-02T09:00:00Z')
/** Smallest balance that a token sweep moves, in units. */
export const SWEPT_FROM = units('20')
const BRANCH = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'")

export type Asset = 'COIN' | 'USD'

/** Address that the platform showed to a member, and the invoice. A restore may have lost the invoice, but never this fact. */
export interface ShownAddress {
  invoice: string
  address: string
  member: TestMember
  asset: Asset
}

/** Payout that a member requested and staff approved. Each has its own receiver. */
export interface RequestedPayout {
  id: string
  member: TestMember
  asset: Asset
  amount: Units
  /** What the receiver gets, in the token's smallest unit. */
  received: bigint
  to: string
}

/** Errors that a job may end with while sources fail or staff must act. */
const EXPECTED = ['NodeUnavailable', 'NodeError', 'BatchError', 'SourcesDiffer', 'ForeignNonce']

interface Prepared {
  /** Database that sequences copy. */
  template: string
  members: TestMember[]
  staff: TestMember[]
}
let people: Promise<Prepared> | undefined

/** Product on a chain with two faulty sources, and the facts that no restore can change. */
export class World {
  readonly wallet = keySigner(Buffer.alloc(32, 5))
  readonly keys = branchKeys(BRANCH.privateExtendedKey ?? '', BRANCH.publicExtendedKey ?? '')
  readonly shown: ShownAddress[] = []
  readonly payouts: RequestedPayout[] = []
  members: TestMember[] = []
  staff: TestMember[] = []
  /** True after the first restore of a backup. */
  wasRestored = false
  /** True after a rise of the market price, which then stays. */
  hasHighPrice = false
  /** First block after the preparation. */
  begin = 0
  private database: Database | undefined
  private name = ''
  private backup: string | undefined
  private jobs: Job[] = []

  readonly chain: TestChain
  readonly tokens: Readonly<Record<Asset, string>>
  readonly sources: readonly [FaultyNode, FaultyNode]
  readonly deps: Deps & { clock: TestClock }
  readonly settings: ChainSettings
  readonly ports: DepositPorts
  private readonly server: Client

  private constructor(of: Pick<World, 'chain' | 'tokens' | 'sources' | 'deps' | 'settings' | 'ports'>, server: Client) {
    this.chain = of.chain
    this.tokens = of.tokens
    this.sources = of.sources
    this.deps = of.deps
    this.settings = of.settings
    this.ports = of.ports
    this.server = server
  }

  /**
   * Starts a chain, two sources and a database.
   * @param node anvil, or the fake chain of this process, which is much faster
   */
  static async open(node: 'anvil' | 'fake'): Promise<World> {
    const source = inject('testDatabase')
    if (source.kind !== 'postgres') throw new Error('the simulator needs PostgreSQL')
    const server = new Client({ connectionString: source.url })
    await server.connect()
    const chain = await (node === 'anvil' ? startChain : startFakeChain)({ at: BEGIN })
    await chain.call('anvil_setBlockTimestampInterval', 1)
    const tokens = { COIN: chain.token.toLowerCase(), USD: (await chain.deployToken()).toLowerCase() }
    const sources = [faultyNode(chain.url), faultyNode(chain.url)] as const
    const environment = payoutEnvironment(chain, { coin: tokens.COIN, usd: tokens.USD })
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...environment })
    const settings: ChainSettings = {
      chainId: chain.chainId,
      token: tokens.COIN,
      decimals: 18,
      usd: { token: tokens.USD, decimals: 18 },
      xpub: environment.CHAIN_XPUB,
      startBlock: undefined,
      addressGap: 5,
      rpcUrl: sources[0].url,
      secondRpcUrl: sources[1].url,
    }
    const ports = { provider: unusedProvider, chain: createEvmChain(settings, config), noticeUrl: '' }
    const deps = { config, clock: movingClock(BEGIN), ids: randomIds, log: createLog('silent') }
    const world = new World({ chain, tokens, sources, deps, settings, ports }, server)
    people ??= world.prepareDatabase()
    const { template, members, staff } = await people
    Object.assign(world, { members, staff })
    await world.useDatabase(template)
    await world.prepareChain()
    return world
  }

  /** Dependencies of one call of a member or of staff, whose rows all have the same time. */
  get act(): Deps {
    return withFrozenClock(this.deps)
  }

  get db() {
    if (this.database === undefined) throw new Error('no database')
    return this.database.db
  }

  /** Creates a database with members and their money. All sequences of a test file copy it. */
  private async prepareDatabase(): Promise<Prepared> {
    await this.useDatabase(TEMPLATE)
    this.members = [await createTestMember(this.db), await createTestMember(this.db)]
    this.staff = [await createTestMember(this.db, { role: 'ADMIN' }), await createTestMember(this.db, { role: 'ADMIN' })]
    for (const { id } of this.members) {
      await fund(this.db, id, 'icoWallet', OWNED)
      // Not from SYS-DEPOSIT, because the product compares this account with the chain.
      await post(this.db, {
        kind: 'testFunds',
        cause: { type: 'test', id: String(id) },
        at: BEGIN,
        transfers: [
          { from: { system: 'SYS-OPERATOR', asset: 'USD' }, to: { owner: id, kind: 'depositWallet' }, amount: OWNED, newMoney: OWNED },
        ],
      })
    }
    const { name: template, members, staff } = this
    await this.database?.close()
    this.name = ''
    onFileEnd(async () => {
      // The next test file of this worker shares this module.
      people = undefined
      const source = inject('testDatabase')
      const server = new Client({ connectionString: source.kind === 'postgres' ? source.url : '' })
      await server.connect()
      await server.query(`drop database ${template} with (force)`)
      await server.end()
    })
    return { template, members, staff }
  }

  /** Gives the wallets gas and tokens, and reads the chain for the first time. */
  private async prepareChain(): Promise<void> {
    const coins = `0x${(10n ** 18n).toString(16)}`
    for (const address of [this.wallet.address, this.keys.addressAt('gas')]) await this.chain.call('anvil_setBalance', address, coins)
    for (const token of Object.values(this.tokens)) await this.chain.send(this.wallet.address, exactOf(units('100000')), token)
    await this.chain.mine(14)
    this.begin = await this.head()
    this.restart()
    await this.catchUp()
    await this.runJobs()
  }

  async head(): Promise<number> {
    return Number(await this.chain.call<string>('eth_blockNumber'))
  }

  /** Starts the jobs anew, as after the end of their process. */
  restart(): void {
    const { chainId } = this.chain
    const limits = Object.values(this.tokens).map((token) => [token, exactOf(units('1000000'))] as const)
    const nodes = { rpcUrl: this.settings.rpcUrl, secondRpcUrl: this.settings.secondRpcUrl }
    const maxGasPrice = 100_000_000_000n
    this.jobs = [
      ...chainJobs(this.settings, wakeInvoices),
      ...depositJobs(this.ports).filter(({ name }) => name === 'invoice-watcher'),
      ...sendingJobs({
        ...nodes,
        signer: () => Promise.resolve(this.wallet),
        rules: { chainId, maxGasPrice, inFlight: 50, hourLimits: new Map(limits), stuckSeconds: 180 },
      }),
      tokenSweepJob(
        {
          ...nodes,
          keys: () => Promise.resolve(this.keys),
          to: () => Promise.resolve(this.wallet.address),
          rules: { chainId, maxGasPrice, minAmounts: new Map(Object.values(this.tokens).map((token) => [token, exactOf(SWEPT_FROM)])) },
        },
        async (db) => (await currentPause(db)) === undefined,
      ),
    ]
  }

  /** Runs each job once. A job may only end with an error that names a source or asks staff to act. */
  async runJobs(): Promise<string[]> {
    const errors: string[] = []
    for (const job of this.jobs) {
      await runJob(this.db, this.deps, job, 'worker').catch((error: unknown) => {
        if (!(error instanceof Error) || !EXPECTED.includes(error.constructor.name)) throw error
        errors.push(`${job.name}: ${error.constructor.name}: ${error.message}`)
      })
    }
    return errors
  }

  /** Compares chain and books, as the product does each hour. */
  async reconcile(): Promise<void> {
    const tokens = (['COIN', 'USD'] as const).map((asset) => ({ asset, token: this.tokens[asset], decimals: 18 }))
    const checked = { chainId: this.chain.chainId, rpcUrl: this.chain.url, tokens, paidTokens: Object.values(this.tokens), sweeps: true }
    await runJob(this.db, this.deps, reconcileJob(checked, { now: true, full: true }), 'worker')
  }

  /**
   * Creates blocks, one for each second, after some time without blocks. A reorg may have removed later time stamps, but the clock never
   * goes back.
   */
  async mine(count: number, pauseSeconds = 1): Promise<void> {
    const begin = Math.floor(this.deps.clock.now().getTime() / 1000) + pauseSeconds
    await this.chain.call('evm_setNextBlockTimestamp', Math.max(begin, (await this.headTime()) + 1))
    await this.chain.mine(count)
    await this.catchUp()
  }

  async headTime(): Promise<number> {
    return Number((await this.chain.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)).timestamp)
  }

  /** Sets the clock to the time of the newest block, so that the chain is alive. */
  private async catchUp(): Promise<void> {
    this.deps.clock.advance(Math.max(0, (await this.headTime()) * 1000 - this.deps.clock.now().getTime()))
  }

  /** Copies the database, as a backup does. */
  async saveBackup(): Promise<void> {
    await this.database?.close()
    if (this.backup !== undefined) await this.drop(this.backup)
    this.backup = `sim_${randomBytes(6).toString('hex')}`
    await this.copy(this.name, this.backup)
    this.connect(this.name)
  }

  /** Replaces the database by the backup. The worker then takes it as restored. */
  async restoreBackup(): Promise<boolean> {
    if (this.backup === undefined) return false
    await this.useDatabase(this.backup)
    await markRestored(this.db)
    this.wasRestored = true
    this.restart()
    return true
  }

  private async useDatabase(template: string): Promise<void> {
    const [before, name] = [this.name, `sim_${randomBytes(6).toString('hex')}`]
    await this.database?.close()
    await this.copy(template, name)
    if (before !== '') await this.drop(before)
    this.name = name
    this.connect(name)
  }

  private connect(name: string): void {
    const source = inject('testDatabase')
    if (source.kind !== 'postgres') throw new Error('the simulator needs PostgreSQL')
    // The limits of calls would end a sequence on a busy machine.
    const limits = { max: 4, limits: false, connectMs: 60_000 }
    this.database = openDatabase({ url: source.socket.replace(/\/postgres$/, `/${name}`) }, limits)
  }

  private copy = (from: string, to: string) => this.server.query(`create database ${to} template ${from} strategy file_copy`)
  private drop = (name: string) => this.server.query(`drop database ${name} with (force)`)

  async close(): Promise<void> {
    await this.database?.close()
    for (const name of [this.name, this.backup]) if (name !== undefined && name !== '') await this.drop(name)
    for (const source of this.sources) source.close()
    await Promise.all([this.server.end(), this.chain.stop()])
  }
}
