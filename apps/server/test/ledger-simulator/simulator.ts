/**
 * Runs the real posting code on a real database through one random sequence of failures. There are several nodes, duplicate, late and
 * reordered requests, errors before and after the commit, crashes that lose a node's memory, stale workers, and clock jumps. After each
 * step it compares the stored money with a plain in-memory ledger (oracle.ts) and folds it again (simulator-check.ts). A seed always
 * repeats the same sequence.
 */
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'
import { openAccountsOf } from '../../src/ledger/accounts.ts'
import { runChecks } from '../../src/ledger/audit.ts'
import { ledgerChecks } from '../../src/ledger/audit-checks.ts'
import { createGroupCommit, type GroupCommit } from '../../src/platform/db/group-commit.ts'
import { createOracle } from './oracle.ts'
import { postBatch } from '../../src/ledger/post.ts'
import { isRejected, type Posted, type Posting, type Rejection } from '../../src/ledger/posting.ts'
import { createRandom } from './random.ts'
import { createChecker } from './check.ts'
import { draw, type Request } from './requests.ts'
import { runRewards } from './rewards.ts'
import { runWithdrawals, withdrawals } from './withdrawals.ts'
import type { Fault, World } from './world.ts'

/** Thrown if a seed's story breaks an invariant. */
export class SimulationFailed extends Error {
  readonly seed: number

  constructor(seed: number, step: number, what: string) {
    super(`seed ${seed}, step ${step}: ${what}`)
    this.name = 'SimulationFailed'
    this.seed = seed
  }
}

/** Thrown into a node by the store. The client cannot know the result. */
class StoreFault extends Error {}

/**
 * Runs a seed's story inside one transaction, rolled back at the end. Each transaction of the story is a savepoint, so that seeds
 * stay independent and the database stays small.
 * @param options number of steps; `audit: true` also runs the audit's checks at the end
 * @throws SimulationFailed after the first step that breaks an invariant
 */
export async function simulate(connection: Db, seed: number, options: { steps?: number; audit?: boolean } = {}): Promise<void> {
  let step = 0
  await sql`begin`.execute(connection)
  try {
    const world = await createWorld(connection, seed)
    const check = await createChecker(world)
    const nodes = Array.from({ length: 2 + world.random.below(2) }, () => createNode(world))
    const clients: Request[] = []
    for (step = 1; step <= (options.steps ?? 10); step += 1) {
      await playStep(world, nodes, clients)
      await check()
    }
    await finish(world, nodes, clients)
    await check()
    const broken = options.audit === true ? (await runChecks(connection, ledgerChecks)).filter((result) => result.broken > 0) : []
    if (broken.length > 0) throw new Error(`the audit found: ${broken.map((result) => result.check.title).join('; ')}`)
  } catch (error) {
    throw error instanceof SimulationFailed
      ? error
      : new SimulationFailed(seed, step, error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await sql`rollback`.execute(connection)
  }
}

async function createWorld(db: Db, seed: number): Promise<World> {
  const random = createRandom(seed)
  const oracle = createOracle()
  const members = Array.from({ length: 3 + random.below(3) }, (_, index) => BigInt(index + 1))
  await openAccountsOf(db, members)
  let now = Date.UTC(2026, 0, 1)
  let previous: Promise<unknown> = Promise.resolve()
  return {
    db,
    random,
    oracle,
    members,
    now: () => {
      now += random.chance(0.1) ? (random.below(400) - 200) * 86_400_000 : random.below(60_000)
      return new Date(now)
    },
    fault: () => (random.chance(0.7) ? 'none' : random.pick(['error_before', 'error_before_commit', 'crash_after_commit'] as const)),
    transact: (fault, work, committed) => {
      const turn = previous.then(() => runTransaction(db, fault, work, committed))
      previous = turn.catch(() => undefined)
      return turn
    },
    withdrawals: withdrawals(),
    paidDays: new Set(),
  }
}

async function runTransaction<T>(db: Db, fault: Fault, work: () => Promise<T>, committed?: (result: T) => void): Promise<T> {
  if (fault === 'error_before') throw new StoreFault()
  if (fault === 'error_before_commit') {
    await sql`savepoint node`.execute(db)
    await work()
    await sql`rollback to savepoint node`.execute(db)
    throw new StoreFault()
  }
  // Uses no savepoint: a refusal writes nothing, and a database error ends the story.
  const result = await work()
  committed?.(result)
  return result
}

/** Creates a node's memory: requests waiting for the next group. A crash replaces the node. */
function createNode(world: World): GroupCommit<Posting, Posted | Rejection> {
  return createGroupCommit<Posting, Posted | Rejection>({
    maxBatch: 1 + world.random.below(5),
    maxInFlight: 1,
    run: async (postings) => {
      const fault = world.fault()
      const results = await world.transact(
        fault,
        () => postBatch(world.db, postings),
        (stored) => expectVerdicts(world, postings, stored),
      )
      if (fault === 'crash_after_commit') throw new StoreFault()
      return results
    },
  })
}

function expectVerdicts(world: World, postings: readonly Posting[], stored: readonly (Posted | Rejection)[]): void {
  const earlier = new Map<string, string>()
  postings.forEach((posting, index) => {
    // The group decides a duplicate key once.
    const first = posting.key === undefined ? undefined : earlier.get(posting.key)
    const expected = first === undefined ? world.oracle.apply(posting) : first === 'posted' ? 'repeated' : first
    if (posting.key !== undefined && first === undefined) earlier.set(posting.key, expected)
    const result = stored[index]
    const got = result === undefined ? 'nothing' : isRejected(result) ? result.refused : result.repeated ? 'repeated' : 'posted'
    if (got !== expected) throw new Error(`${posting.kind} ${posting.key} came to ${got}, expected ${expected}`)
  })
}

async function playStep(world: World, nodes: GroupCommit<Posting, Posted | Rejection>[], clients: Request[]): Promise<void> {
  const { random } = world
  const kind = random.below(20)
  if (kind < 5) return runWithdrawals(world)
  if (kind < 7) return runRewards(world)
  const sent = Array.from({ length: 1 + random.below(4) }, () => {
    const again = clients.length > 0 && random.chance(0.35)
    const request = again ? random.pick(clients) : draw(world, clients.length)
    if (!again) clients.push(request)
    return request
  })
  // Sends duplicates concurrently, in any order, to any node.
  const deliveries = random.shuffle([...sent, ...sent.filter(() => random.chance(0.2))])
  await Promise.all(deliveries.map((request) => deliver(random.pick(nodes), request)))
  if (random.chance(0.1)) nodes[random.below(nodes.length)] = createNode(world)
}

async function deliver(node: GroupCommit<Posting, Posted | Rejection>, request: Request): Promise<void> {
  try {
    const result = await node.submit(request.posting)
    request.answers.push(isRejected(result) ? result.refused : 'posted')
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    request.answers.push('unknown')
  }
}

/** Repeats requests with an unknown result. Afterwards every result must agree with the store (invariants I4, I5). */
async function finish(world: World, nodes: GroupCommit<Posting, Posted | Rejection>[], clients: Request[]): Promise<void> {
  world.fault = () => 'none'
  const node = nodes[0] ?? createNode(world)
  for (const request of clients) {
    if (!request.answers.some((answer) => answer !== 'unknown')) await deliver(node, request)
    const stored = request.posting.key !== undefined && world.oracle.keys().has(request.posting.key)
    if (request.answers.includes('posted') && !stored) throw new Error(`${request.posting.key} was answered and is not there`)
  }
}
