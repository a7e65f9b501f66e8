import { ONE } from '@tizara/money'
import type { Asset } from '../src/ledger/index.ts'
import { type Game, type Group, HOLD_DAYS } from './money-game.ts'
import type { TestMember } from './members.ts'
import { type MoveName, moves, type PlanName, PLANS } from './money-moves.ts'

/** For tests: attackers who know the code, each with one strategy to create money. */

type Play = Group['play']

const BRING = 1000n * ONE
const TURN = HOLD_DAYS + 1

/** Days between extra worker runs before the night, while time stands still. */
export const STILL_DAYS = 7

/** Returns the member at an existing index. */
function at(group: Group, index: number): TestMember {
  const found = group.members.at(index)
  if (found === undefined) throw new Error(`no member ${index}`)
  return found
}

/** Converts all a member's assets to USD. */
export async function cashOut(game: Game, group: Group, who: TestMember): Promise<void> {
  for (const move of ['reject', 'exchange', 'swap', 'sell', 'sellRcm', 'nftToDeposit'] as const) await game.play(group, move, { who })
}

/** Buys, sells and buys again several times a day, with a sponsor from the same group. */
export const washTrade: Play = async (game, group, day) => {
  const who = at(group, 1)
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  for (let cycle = 0; cycle < 2; cycle += 1) {
    await game.play(group, 'buy', { who, mille: 999n, dust: 7n })
    await cashOut(game, group, who)
  }
}

/** Keeps bought coin through the hold, sells it, and sends the money to an account without purchases. */
export const rotateAccounts: Play = async (game, group, day) => {
  const turn = Math.floor(day / TURN)
  const who = at(group, 1 + turn)
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  if (day % TURN === 0) await game.play(group, 'buy', { who, mille: 999n })
  if (day % TURN !== HOLD_DAYS) return
  await cashOut(game, group, who)
  await game.play(group, 'send', { who, other: at(group, 2 + turn) })
}

/** Like `rotateAccounts`, but staff reverse the transfer, and both accounts buy again. */
export const sentAndTakenBack: Play = async (game, group, day) => {
  const [who, other] = [at(group, 1), at(group, 2)]
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  if (day % TURN === 0) await game.play(group, 'buy', { who, mille: 999n })
  if (day % TURN !== HOLD_DAYS) return
  await cashOut(game, group, who)
  await game.play(group, 'send', { who, other })
  await game.play(group, 'reverseTransfer', { who })
  await game.play(group, 'buy', { who: other, mille: 999n })
}

/** Stakes repeatedly in one plan below many sponsors, and reinvests the earnings. */
export const puppetChain =
  (plan: PlanName): Play =>
  async (game, group, day) => {
    const who = at(group, -1)
    if (day === 0) {
      await game.bring(group, who, 'USD', BRING)
      await game.play(group, 'buy', { who, mille: 999n })
      await game.play(group, 'exchange', { who })
    }
    for (const payby of ['mywallet', 'nativewallet'] as const) await game.play(group, 'stake', { who, plan, payby })
  }

/** Stakes the same coin below one leader after another: sells it at the end, transfers the money and stakes again. */
export const rotateLeaders: Play = async (game, group, day) => {
  const rhythm = PLANS.sprint.days + 1
  const turn = Math.floor(day / rhythm)
  const who = at(group, 1 + (turn % 4) * 2)
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  if (day % rhythm === 0) {
    await game.play(group, 'buy', { who, mille: 999n })
    await game.play(group, 'exchange', { who })
    await game.play(group, 'stake', { who, payby: 'mywallet' })
  }
  if (day % rhythm !== rhythm - 1) return
  await cashOut(game, group, who)
  await game.play(group, 'send', { who, other: at(group, 1 + ((turn + 1) % 4) * 2) })
}

/** Withdraws coin proceeds and returns them as new money in a new account. */
export const outAndIn: Play = async (game, group, day) => {
  const turn = Math.floor(day / TURN)
  const who = at(group, 1 + turn)
  if (day % TURN === 0) {
    await game.bring(group, who, 'USD', day === 0 ? BRING : await game.pocket(group, 'USD'))
    await game.play(group, 'buy', { who, mille: 999n })
  }
  if (day % TURN !== HOLD_DAYS) return
  await cashOut(game, group, who)
  await game.play(group, 'withdraw', { who })
  await game.play(group, 'approve', { who })
}

/** Keeps bought coin through the hold, bridges it out, and returns it as coin in a new account. */
export const overTheBridge: Play = async (game, group, day) => {
  const turn = Math.floor(day / TURN)
  const who = at(group, 1 + turn * 2)
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  if (day % TURN === 0) await game.play(group, 'buy', { who, mille: 999n })
  if (day % TURN !== HOLD_DAYS) return
  for (const move of ['exchange', 'bridge', 'approve'] as const) await game.play(group, move, { who })
  const seller = at(group, 2 + turn * 2)
  await game.bring(group, seller, 'COIN', await game.pocket(group, 'COIN'))
  await cashOut(game, group, seller)
  await game.play(group, 'send', { who: seller, other: at(group, 3 + turn * 2) })
}

/** Keeps bought coin through the hold, bridges it out, sells it outside, and returns new money. */
export const sellOutside: Play = async (game, group, day) => {
  const turn = Math.floor(day / TURN)
  const who = at(group, 1 + turn)
  if (day % TURN === 0) {
    await game.bring(group, who, 'USD', day === 0 ? BRING : await game.pocket(group, 'USD'))
    await game.play(group, 'buy', { who, mille: 999n })
  }
  if (day % TURN !== HOLD_DAYS) return
  for (const move of ['exchange', 'bridge', 'approve'] as const) await game.play(group, move, { who })
  await game.sellOutside(group)
}

/** Spends the same money in concurrent calls, and decides about it twice. */
export const allAtOnce: Play = async (game, group, day) => {
  const [who, other] = [at(group, 1 + (day % 2)), at(group, 2 - (day % 2))]
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  const same = (...names: MoveName[]) =>
    game.playAtOnce(
      group,
      names.map((move) => ({ move, who, other, payby: 'depositwallet' as const })),
    )
  await same('buy', 'send', 'withdraw', 'nft', 'buy')
  await same('approve', 'reject', 'reverseCoin', 'reverseCoin', 'exchange')
  await same('sell', 'bridge', 'sell', 'swap', 'reverseNft')
  await same('approve', 'reject', 'approve', 'convert', 'nftToDeposit')
  await cashOut(game, group, who)
}

/** Buys coin, stakes and NFTs, waits for daily rewards and ranks, and reverses most of it within the hold. */
export const changeOfMind: Play = async (game, group, day) => {
  const [who, sponsor] = [at(group, -1), at(group, -2)]
  if (day === 0) await game.bring(group, who, 'USD', BRING)
  if (day % 4 === 0) {
    for (const move of ['nft', 'buy', 'exchange'] as const) await game.play(group, move, { who, mille: 500n, payby: 'depositwallet' })
    await game.play(group, 'stake', { who, plan: day % 8 === 0 ? 'long' : 'omega', payby: 'mywallet' })
    await game.play(group, 'buy', { who, mille: 500n })
  }
  if (day % 4 === 3) {
    for (const move of ['reverseStake', 'reverseCoin'] as const) await game.play(group, move, { who })
    if (day % 12 !== 11) await game.play(group, 'reverseNft', { who })
    // NFTs pay the first month near the end of a season: both use the money of that day in parts.
    for (const owner of [sponsor, who])
      for (const move of ['convert', 'nftToDeposit', 'convert'] as const) await game.play(group, move, { who: owner, mille: 500n })
  }
}

/** Returns seeded random numbers, equal in every run. */
function dice(seed: number) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  const roll = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
  const oneOf = <T>(list: readonly [T, ...T[]]): T => list[roll(list.length)] ?? list[0]
  return { roll, oneOf }
}

const isMove = (name: string): name is MoveName => name in moves
const everyMove = [...Object.keys(moves).filter(isMove), ...(['nft', 'nft', 'reverseNft', 'reverseStake', 'convert'] as const)]

/** Plays random moves in any account, including blocked and unverified members. */
export function anything(seed: number): Play {
  const { roll, oneOf } = dice(seed)
  const blocked = new Set<TestMember>()
  return async (game, group, day) => {
    if (day === 0) for (const who of group.members) await game.bring(group, who, 'USD', 200n * ONE)
    const someone = () => at(group, roll(group.members.length))
    for (let times = roll(6); times > 0; times -= 1) {
      // Excludes days on which no group may gain, because unblocking a member pays the pending rewards.
      if (roll(40) === 0 && day % STILL_DAYS !== 0) {
        const who = someone()
        const wasBlocked = blocked.delete(who)
        if (!wasBlocked) blocked.add(who)
        await game.setActive(who, wasBlocked)
      }
      if (roll(60) === 0) group.members.push(await game.join({ sponsor: someone(), verified: roll(3) > 0 }))
      if (roll(30) === 0) await game.bring(group, someone(), oneOf<Asset>(['USD', 'COIN']), BigInt(1 + roll(100)) * ONE)
      const oneMove = () => {
        const usual = oneOf<MoveName>(['buy', 'exchange', 'stake', 'sell', 'send'])
        return {
          move: roll(2) === 0 ? usual : (everyMove[roll(everyMove.length)] ?? usual),
          who: someone(),
          other: someone(),
          mille: oneOf([1n, 100n, 500n, 990n, 1000n]),
          dust: oneOf([-1n, 0n, 1n]),
          plan: oneOf<PlanName>(['sprint', 'long', 'omega']),
          payby: oneOf<'depositwallet' | 'nativewallet' | 'mywallet'>(['depositwallet', 'nativewallet', 'mywallet']),
        }
      }
      await game.playAtOnce(group, roll(5) === 0 ? [oneMove(), oneMove(), oneMove()] : [oneMove()])
    }
  }
}
