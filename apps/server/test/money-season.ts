import { ONE } from '@tizara/money'
import { currentProgramme } from '../src/modules/rewards/programme/programme.ts'
import {
  allAtOnce,
  cashOut,
  changeOfMind,
  outAndIn,
  overTheBridge,
  puppetChain,
  rotateAccounts,
  rotateLeaders,
  sellOutside,
  sentAndTakenBack,
  STILL_DAYS,
  washTrade,
} from './money-attackers.ts'
import { linearBound } from './linear-bound.ts'
import { BRIDGE_FEE, capitalOf, type Game, type Group, HOLD_DAYS, WAGON } from './money-game.ts'
import { PLANS } from './money-moves.ts'
import type { TestMember } from './members.ts'

/** For tests: days with concurrent groups, and their maximum gains. */

/** Days until each NFT has paid its first month, and so its level bonuses. */
const MONTH_DAYS = 31

/** Group with data for the bound: its assets summed over the days, in 10^-16 USD. */
interface WatchedGroup extends Group {
  days: bigint
}
export type Attacker = Pick<Group, 'name' | 'play'> & { people: number }

async function line(game: Game, length: number): Promise<TestMember[]> {
  const members: TestMember[] = []
  for (let index = 0; index < length; index += 1) members.push(await game.join({ sponsor: members.at(-1) }))
  return members
}

/** Returns RW-14's bound for a group's gain under correct rules, in 10^-16 USD. */
export async function bounds(game: Game, bridgeFeePercent = BRIDGE_FEE) {
  const rules = await currentProgramme(game.db, game.clock.now())
  const { once, perMonth } = linearBound({
    rules: { ...rules, fullLevelShareDays: 365 },
    plans: Object.values(PLANS).map((plan) => ({ days: plan.days, apy: plan.apy, isOmega: plan.omega })),
    nft: WAGON,
    holdDays: HOLD_DAYS,
    feePercents: [7n * ONE, bridgeFeePercent],
  })
  return (group: WatchedGroup) => (capitalOf(group) * once + (group.days * perMonth) / 30n) / (100n * ONE)
}

/** Runs the jobs while no time passes. They may pay no group. */
async function workWhileTimeStands(game: Game, groups: readonly Group[]) {
  const before = await Promise.all(groups.map(game.worth))
  await game.work()
  for (const [index, group] of groups.entries()) {
    const gain = (await game.worth(group)) - (before[index] ?? 0n)
    if (gain > 0n) game.richer.push(`${group.name}: the worker by ${gain}`)
  }
}

/** Returns true if an NFT has not paid its first month, and so owes its level bonuses. Other groups do not wait, as that raises their bound. */
async function hasYoungNfts({ db }: Game): Promise<boolean> {
  const young = db
    .selectFrom('reward_source')
    .select('id')
    .where('stream', '=', 2)
    .where('reversed_at', 'is', null)
    .where('processed', '=', 0)
  return (await young.executeTakeFirst()) !== undefined
}

/** Season options: the bound, and a callback at the end. */
interface Season {
  bound?: (group: WatchedGroup) => bigint
  afterwards?: () => Promise<void>
}

/**
 * Runs concurrent groups for some days, waits until everything has ended, and converts their assets to USD. Returns the groups
 * above the bound, those that gained without time passing, and the audit's findings.
 */
export async function season(game: Game, days: number, attackers: readonly Attacker[], options: Season = {}) {
  const groups: WatchedGroup[] = []
  for (const { people, ...rest } of attackers)
    groups.push({ ...rest, members: await line(game, people), drawn: { USD: 0n, COIN: 0n }, paidIn: { USD: 0n, COIN: 0n }, days: 0n })
  const bound = options.bound ?? (await bounds(game))
  let rest = Math.max(HOLD_DAYS, ...Object.values(PLANS).map((plan) => plan.days)) + 1
  for (let day = 0; day < days + rest; day += 1) {
    if (day === days && (await hasYoungNfts(game))) rest = Math.max(rest, MONTH_DAYS + 1)
    for (const group of groups) {
      if (day < days) await group.play(game, group, day)
      if (day === days) for (const who of group.members) await game.setActive(who, true)
      group.days += await game.worth(group)
    }
    if (day === days) await options.afterwards?.()
    if (day < days && day % STILL_DAYS === 0) await workWhileTimeStands(game, groups)
    game.nextDay()
    await game.work()
  }
  const rich: string[] = []
  for (const group of groups) {
    for (const who of group.members) await cashOut(game, group, who)
    const gain = (await game.worth(group)) - capitalOf(group)
    if (gain > bound(group)) rich.push(`${group.name}: ${gain / ONE} of at most ${bound(group) / ONE}`)
  }
  return { rich, richer: game.richer, damage: await game.damage() }
}

export const ATTACKERS: readonly Attacker[] = [
  { name: 'wash trade', people: 2, play: washTrade },
  { name: 'account after account', people: 6, play: rotateAccounts },
  { name: 'sent and taken back', people: 4, play: sentAndTakenBack },
  { name: 'puppet chain', people: 21, play: puppetChain('sprint') },
  { name: 'puppet chain of long stakes', people: 6, play: puppetChain('long') },
  { name: 'leader after leader', people: 9, play: rotateLeaders },
  { name: 'out and in', people: 6, play: outAndIn },
  { name: 'over the bridge', people: 10, play: overTheBridge },
  { name: 'sold outside', people: 6, play: sellOutside },
  { name: 'all at once', people: 3, play: allAtOnce },
  { name: 'change of mind', people: 6, play: changeOfMind },
]
