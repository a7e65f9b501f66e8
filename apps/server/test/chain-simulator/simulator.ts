/**
 * Plays deposits, payouts and token sweeps on a real chain whose two sources fail, through reorgs, ended processes and restored backups.
 * A seed repeats the same sequence. At the end the sources work again, staff answer, and the books must equal the chain (judge.ts).
 */
import { NO_FAULTS } from '../../../../test/chain/faulty-node.ts'
import { createInvoice } from '../../src/modules/deposits/index.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { AppError } from '../../src/platform/runtime/app-error.ts'
import { createRandom, type Random } from '../ledger-simulator/random.ts'
import { judge, judgeShown } from './judge.ts'
import { cancel, requestPayout, staffRound } from './staff.ts'
import { type Asset, exactOf, units, World } from './world.ts'

/** Steps of a sequence before the settlement. Half of them are windows: several steps that aim at a likely fault. */
const STEPS = 12
/** Rounds after which everything must have ended. */
const SETTLE_ROUNDS = 60
/** Calls per request that the sources accept for ever. Nodes allow 20 to 1,000. */
const LASTING_BATCH_LIMIT = 20
/** Age of a source's newest block from which no invoice opens (docs/decisions/0033-chain-finality-and-liveness.md). */
const MAX_HEAD_AGE_MS = 2 * 60_000
/** Market price after its rise, in wei per gas unit. */
const HIGH_PRICE = 3_000_000_000
/** Blocks below which anvil and every source agree that a block is final. */
const MAX_REORG = 10

/**
 * Plays one sequence.
 * @throws Error with the steps, if the books do not equal the chain at the end
 */
export async function playSequence(seed: number, node: 'anvil' | 'fake'): Promise<void> {
  const random = createRandom(seed)
  const steps: string[] = [`Steps of seed ${seed}:`]
  const world = await World.open(node)
  try {
    for (let step = 0; step < STEPS; step += 1) {
      steps.push(await playStep(world, random, step))
      const errors = await world.runJobs()
      if (errors.length > 0) steps.push(`  ${errors.join('; ')}`)
      await judgeShown(world)
    }
    steps.push(`settled after ${await settle(world)} rounds`)
    await judge(world)
  } catch (error) {
    throw new Error(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${steps.join('\n')}`, { cause: error })
  } finally {
    await world.close()
  }
}

type Step = (world: World, random: Random, step: number) => Promise<string>

/** Steps with their weights: single ones, then the windows in which faults are likely. */
const PLAYED: readonly (readonly [number, Step])[] = [
  [3, mineSome],
  [3, openInvoice],
  [3, payAddress],
  [2, requestOne],
  [2, cancelOne],
  [3, breakSource],
  [3, endProcess],
  [2, reorganize],
  [1, dropPending],
  [1, waitLong],
  [2, backUpOrRestore],
  // A reorg removes a young payment, which may not have been credited.
  [3, inTurn(payAddress, mineSome, reorganize)],
  // The first source omits the logs of a payment and of the blocks above it until they are read.
  [3, inTurn(blindFirst, payAddress, mineSome, mineSome, mineSome, heal)],
  // A source stands still for longer than a head may be old.
  [2, inTurn(stopSource, waitLong, openInvoice, heal)],
  // Both sources list the logs of a payment twice.
  [2, inTurn(payAddress, repeatLogs, mineMany, heal)],
  // The market price rises while a payout, or a token sweep with its gas, waits.
  [2, inTurn(requestOne, raisePrice, mineSome, waitLong)],
  [2, inTurn(payAddress, mineMany, raisePrice, mineSome, waitLong)],
  // A pool loses a payout, or a reorg removes its block.
  [5, inTurn(requestOne, dropPending, mineSome)],
  [4, inTurn(requestOne, mineOne, loseBlocks)],
  // A pool loses a token sweep or its gas.
  [5, inTurn(payAddress, mineMany, dropPending, mineMany, dropPending)],
  // A payout is cancelled after its payment was sent.
  [2, inTurn(requestOne, cancelOne, mineMany)],
  // A restore loses an invoice, and the next member gets an address in the same hour.
  [3, inTurn(backUp, openInvoice, payAddress, restore, openInvoice)],
  // A restore loses payouts that the network has, or still holds, and the queue has others.
  [2, inTurn(requestOne, backUp, cancelOne, mineSome, restore, requestOne)],
  [2, inTurn(backUp, requestOne, requestOne, mineMany, restore, requestOne)],
]

/** Joins steps to one. The jobs run after each. */
function inTurn(...steps: readonly Step[]): Step {
  return async (world, random, step) => {
    const played: string[] = []
    for (const [index, play] of steps.entries()) {
      // Numbers of steps stay unique, because receivers of payouts follow from them.
      played.push(await play(world, random, step * 16 + index))
      if (index < steps.length - 1) played.push(...(await world.runJobs()))
    }
    return played.join(' > ')
  }
}

function playStep(world: World, random: Random, step: number): Promise<string> {
  let drawn = random.below(PLAYED.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, play] of PLAYED) {
    if (drawn < weight) return play(world, random, step)
    drawn -= weight
  }
  throw new Error('no step')
}

/** Mines enough blocks that a payment becomes final. */
async function mineMany(world: World): Promise<string> {
  await world.mine(14)
  return 'mine 14'
}

async function mineOne(world: World): Promise<string> {
  await world.mine(1)
  return 'mine 1'
}

async function mineSome(world: World, random: Random): Promise<string> {
  const count = 1 + random.below(8)
  await world.mine(count)
  return `mine ${count}`
}

async function openInvoice(world: World, random: Random): Promise<string> {
  const [member, asset] = [random.pick(world.members), random.pick(['COIN', 'USD'] as const)]
  const { db, act: deps, ports, sources } = world
  try {
    const { invoiceId } = await inTransaction(db, (tx) =>
      createInvoice(tx, deps, ports, { memberId: member.id, amount: units('100'), asset }),
    )
    const { address } = await db.selectFrom('deposit').select('address').where('public_id', '=', invoiceId).executeTakeFirstOrThrow()
    if (address === null) throw new Error('an invoice without address')
    const earlier = world.shown.find((one) => one.address === address)
    if (earlier !== undefined) throw new Error(`the address of ${earlier.member.email} was shown to ${member.email} as well`)
    const standing = sources.find(({ faults }) => deps.clock.now().getTime() - (faults.standsAt?.time ?? Infinity) > MAX_HEAD_AGE_MS)
    if (standing !== undefined) throw new Error(`an invoice was opened while a source stands at block ${standing.faults.standsAt?.block}`)
    world.shown.push({ invoice: invoiceId, address, member, asset })
    return `invoice ${address} in ${asset} for member ${member.id}`
  } catch (error) {
    if (error instanceof AppError) return `invoice refused: ${error.code}`
    throw error
  }
}

async function payAddress(world: World, random: Random): Promise<string> {
  if (world.shown.length === 0) return openInvoice(world, random)
  const { address, asset } = random.pick(world.shown)
  const paidIn: Asset = random.chance(0.85) ? asset : asset === 'COIN' ? 'USD' : 'COIN'
  const amount = units(random.pick(['100', '30', '5', '200', '0.5']))
  if (paidIn === 'COIN' && random.chance(0.2)) {
    await world.chain.sendMany([address, address], [exactOf(amount), exactOf(amount)])
    return `pay twice ${amount} ${paidIn} to ${address}`
  }
  await world.chain.send(address, exactOf(amount), world.tokens[paidIn])
  return `pay ${amount} ${paidIn} to ${address}`
}

async function requestOne(world: World, random: Random, step: number): Promise<string> {
  const [member, asset] = [random.pick(world.members), random.pick(['COIN', 'USD'] as const)]
  const amount = units(random.pick(['100', '250', '60']))
  const to = `0x${(0xabc0000 + world.payouts.length * 4096 + step).toString(16).padStart(40, '0')}`
  const payout = await requestPayout(world, { member, asset, amount, to })
  if (payout === undefined) return 'payout refused'
  world.payouts.push(payout)
  return `payout ${payout.id} of ${amount} ${asset} to ${to}`
}

async function cancelOne(world: World, random: Random): Promise<string> {
  if (world.payouts.length === 0) return 'nothing to cancel'
  const payout = random.pick(world.payouts)
  await cancel(world, payout)
  return `cancel ${payout.id}`
}

function blindFirst({ sources: [first] }: World): Promise<string> {
  first.faults = { ...NO_FAULTS, blind: 20 }
  return Promise.resolve('source 1 omits the logs of 20 blocks')
}

async function stopSource(world: World, random: Random): Promise<string> {
  const source = random.pick(world.sources)
  const block = await world.head()
  source.faults = { ...NO_FAULTS, standsAt: { block, time: (await world.headTime()) * 1000 } }
  return `source ${world.sources.indexOf(source) + 1} stands at block ${block}`
}

function repeatLogs({ sources }: World): Promise<string> {
  for (const source of sources) source.faults = { ...NO_FAULTS, repeatsLogs: true }
  return Promise.resolve('both sources list each log twice')
}

async function raisePrice(world: World): Promise<string> {
  world.hasHighPrice = true
  await world.chain.call('anvil_setNextBlockBaseFeePerGas', `0x${HIGH_PRICE.toString(16)}`)
  return 'the market price rises'
}

function heal({ sources }: World): Promise<string> {
  for (const source of sources) source.faults = { ...NO_FAULTS }
  return Promise.resolve('both sources work')
}

function breakSource(world: World, random: Random): Promise<string> {
  const source = random.pick(world.sources)
  const faults = { ...NO_FAULTS }
  const fault = random.below(6)
  if (fault === 0) faults.lag = 1 + random.below(6)
  else if (fault === 1) faults.batchLimit = 1 + random.below(20)
  // One source may omit logs of final blocks as well. If both did, nobody could know of the payment.
  else if (fault === 2) faults.blind = 1 + random.below(source === world.sources[0] ? 20 : 10)
  else if (fault === 3) faults.hasNoFinalized = true
  else if (fault === 4) faults.callsLeft = 0
  source.faults = faults
  return Promise.resolve(`source ${world.sources.indexOf(source) + 1}: ${JSON.stringify(faults)}`)
}

/** Ends the worker in the middle of its calls, after one that reached the chain or before. */
async function endProcess(world: World, random: Random): Promise<string> {
  const [source] = world.sources
  const before = source.faults
  const callsLeft = 1 + random.below(30)
  source.faults = { ...before, callsLeft, losesAnswer: random.chance(0.5) }
  const errors = await world.runJobs()
  source.faults = before
  world.restart()
  return `end the process after ${callsLeft} calls: ${errors.join('; ')}`
}

function reorganize(world: World, random: Random): Promise<string> {
  return removeBlocks(world, random, random.chance(0.6))
}

/** Removes blocks whose transactions no pool has any more. */
function loseBlocks(world: World, random: Random): Promise<string> {
  return removeBlocks(world, random, false)
}

async function removeBlocks(world: World, random: Random, returns: boolean): Promise<string> {
  const depth = Math.min(1 + random.below(MAX_REORG), (await world.head()) - world.begin - 1)
  if (depth < 1) return mineSome(world, random)
  const raws: string[] = []
  const head = await world.head()
  for (let number = head - depth + 1; number <= head; number += 1) {
    const { transactions } = await world.chain.call<{ transactions: string[] }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false)
    for (const hash of transactions) raws.push(await world.chain.call<string>('eth_getRawTransactionByHash', hash))
  }
  await world.chain.call('anvil_reorg', depth, [])
  // anvil returns no removed transaction to its pool; a network does.
  if (returns) for (const raw of raws) await world.chain.call('eth_sendRawTransaction', raw).catch(() => undefined)
  await world.mine(1)
  return `reorganize ${depth} blocks with ${raws.length} transactions${returns ? ', which return' : ''}`
}

async function dropPending(world: World): Promise<string> {
  await world.chain.call('anvil_dropAllTransactions')
  return 'drop pending transactions'
}

async function waitLong(world: World, random: Random): Promise<string> {
  const seconds = random.pick([200, 600, 3_700])
  await world.mine(1, seconds)
  return `wait ${seconds} s`
}

function backUpOrRestore(world: World, random: Random): Promise<string> {
  return random.chance(0.5) ? restore(world) : backUp(world)
}

async function backUp(world: World): Promise<string> {
  await world.saveBackup()
  return 'back up'
}

async function restore(world: World): Promise<string> {
  return (await world.restoreBackup()) ? 'restore' : backUp(world)
}

/**
 * Heals the sources and lets staff act until nothing is open.
 * @returns the number of rounds
 */
export async function settle(world: World): Promise<number> {
  for (const source of world.sources) source.faults = { ...NO_FAULTS, batchLimit: LASTING_BATCH_LIMIT }
  // The reader of the chain asks for all stored blocks after a reorg, which is more than a batch may have.
  await removeBlocks(world, createRandom(1), true)
  // A restored database signs nothing until the next full hour. An address gets gas twice a day, and needs more after a rise of the price.
  if (world.wasRestored || world.hasHighPrice) await world.mine(1, world.hasHighPrice ? 86_400 : 3_600)
  let quiet = 0
  for (let round = 1; round <= SETTLE_ROUNDS; round += 1) {
    // The doctor reports a token sweep that the database lost after an hour. A lost gas transfer counts from its adoption, so that a restored
    // database may need another day before it sends gas at the high price.
    if (round % 4 === 0) await world.mine(1, world.wasRestored ? (world.hasHighPrice ? 7_200 : 3_700) : 400)
    await world.mine(14)
    const errors = await world.runJobs()
    await staffRound(world, errors)
    const open = await openWork(world)
    quiet = open === 0 && errors.length === 0 ? quiet + 1 : 0
    // Three rounds have 42 blocks, so that the newest payment is final and swept.
    if (quiet >= 3) return round
    if (round === SETTLE_ROUNDS)
      throw new Error(`${await openWork(world)} items stay open for ${round} rounds. ${errors.join('; ')}\n${await describeOpen(world)}`)
  }
  return SETTLE_ROUNDS
}

/** Describes what has not ended, for the report of a failure. */
async function describeOpen({ db, wallet, chain }: World): Promise<string> {
  const [sendings, transactions, moves, incidents, problems, transfers, nonce] = await Promise.all([
    db.selectFrom('payout_sending').selectAll().where('ended_at', 'is', null).execute(),
    db.selectFrom('signed_transaction').selectAll().execute(),
    db.selectFrom('chain_move').selectAll().where('state', '=', 'SIGNED').execute(),
    db.selectFrom('chain_incident').selectAll().where('answered_at', 'is', null).execute(),
    db.selectFrom('chain_sweep_problem').selectAll().where('problem', 'is not', null).execute(),
    db.selectFrom('chain_transfer').selectAll().where('state', '=', 'SEEN').execute(),
    chain.call<string>('eth_getTransactionCount', wallet.address, 'latest'),
  ])
  const pool = await chain.call('txpool_content')
  const text = (value: unknown) => JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
  return [sendings, transactions, moves, incidents, problems, transfers, nonce, pool].map(text).join('\n')
}

/** Counts what has not ended: payouts, token sweeps and their problems, transfers before finality, and incidents. */
async function openWork({ db }: World): Promise<number> {
  const counts = await Promise.all([
    db.selectFrom('payout_sending').select('request_id').where('ended_at', 'is', null).execute(),
    db.selectFrom('chain_move').select('id').where('state', '=', 'SIGNED').execute(),
    db.selectFrom('chain_sweep_problem').select('address').where('problem', 'is not', null).execute(),
    db.selectFrom('chain_transfer').select('id').where('state', '=', 'SEEN').execute(),
    db.selectFrom('chain_incident').select('id').where('answered_at', 'is', null).execute(),
  ])
  return counts.reduce((sum, rows) => sum + rows.length, 0)
}
