/**
 * For tests: a minimal second implementation of the reward rules, compared with the real one. It shares no code with it, and
 * handles one member, one stake and one day at a time.
 */

const DAY = 86_400_000

export interface ModelRules {
  referral: bigint
  level: bigint[]
  bounty: bigint[]
  ranks: { name: string; from: bigint; bonus: bigint }[]
}

export interface ModelMember {
  sponsor: number | null
  earns: boolean
  native: bigint
  nft: bigint
  staked: bigint
  /** The filled part of each rank bonus. */
  filled: Map<string, bigint>
}

interface Source {
  owner: number
  usd: boolean
  each: bigint
  steps: number
  paid: number
  startedAt: number
  rules: ModelRules
  /** Coin that returns with the last day; 0 for an NFT. */
  principal: bigint
  ended: boolean
}

interface PendingReward {
  to: number
  usd: boolean
  amount: bigint
  releaseAt: number
  paid: boolean
}

/** Applies a percentage with 8 decimals, in whole units. */
const share = (amount: bigint, percent: bigint) => (amount * percent) / 10_000_000_000n

/** Returns the same day in a later month, or that month's last day. */
function monthsLater(start: number, months: number): number {
  const from = new Date(start)
  const year = from.getUTCFullYear() + Math.floor((from.getUTCMonth() + months) / 12)
  const month = (from.getUTCMonth() + months) % 12
  const lastDay =
    [31, (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (start % DAY)
}

export class RewardModel {
  readonly members: ModelMember[] = []
  readonly sources: Source[] = []
  readonly held: PendingReward[] = []
  rules: ModelRules
  holdDays: number

  constructor(rules: ModelRules, holdDays: number) {
    this.rules = rules
    this.holdDays = holdDays
  }

  join(sponsor: number | null, earns: boolean): number {
    this.members.push({ sponsor, earns, native: 0n, nft: 0n, staked: 0n, filled: new Map() })
    return this.members.length - 1
  }

  /** Returns the five levels above a member. A member who does not earn still counts as a level. */
  private above(of: number): { who: number; level: number }[] {
    const line: { who: number; level: number }[] = []
    let at = this.members[of]?.sponsor ?? null
    for (let level = 1; at !== null && level <= 5; level += 1) {
      line.push({ who: at, level })
      at = this.members[at]?.sponsor ?? null
    }
    return line
  }

  /** Adds a pending reward. */
  private hold(to: number, usd: boolean, amount: bigint, releaseAt: number): void {
    if (amount > 0n) this.held.push({ to, usd, amount, releaseAt, paid: false })
  }

  buyCoin(who: number, coin: bigint, now: number): void {
    const sponsor = this.members[who]?.sponsor ?? null
    if (sponsor !== null && this.members[sponsor]?.earns === true)
      this.hold(sponsor, false, share(coin, this.rules.referral), now + this.holdDays * DAY)
  }

  stake(who: number, amount: bigint, apy: bigint, days: number, now: number): void {
    const member = this.members[who]
    if (member === undefined) return
    member.staked += amount
    const each = (amount * apy) / (10_000_000_000n * BigInt(days))
    this.sources.push({
      owner: who,
      usd: false,
      each,
      steps: days,
      paid: 0,
      startedAt: now,
      rules: this.rules,
      principal: amount,
      ended: false,
    })
    for (const { who: up, level } of this.above(who)) {
      if (this.members[up]?.earns !== true) continue
      const part = BigInt(days < 365 ? days : 365)
      this.hold(up, false, (amount * (this.rules.level[level - 1] ?? 0n) * part) / (10_000_000_000n * 365n), now + days * DAY)
    }
  }

  buyNft(who: number, price: bigint, percent: bigint, months: number, now: number): void {
    const each = (price * percent) / (10_000_000_000n * BigInt(months))
    this.sources.push({
      owner: who,
      usd: true,
      each,
      steps: months,
      paid: 0,
      startedAt: now,
      rules: this.rules,
      principal: 0n,
      ended: false,
    })
    for (const { who: up, level } of this.above(who)) {
      if (this.members[up]?.earns === true) this.hold(up, true, share(price, this.rules.level[level - 1] ?? 0n), monthsLater(now, 1))
    }
  }

  /** Runs all jobs due at a time. */
  work(now: number): void {
    for (const source of this.sources) this.paySource(source, now)
    for (const one of this.held) {
      const member = this.members[one.to]
      if (one.paid || one.releaseAt > now || member?.earns !== true) continue
      one.paid = true
      if (one.usd) member.nft += one.amount
      else member.native += one.amount
    }
    this.endStakes(now)
  }

  private paySource(source: Source, now: number): void {
    const dueAt = (nth: number) => (source.usd ? monthsLater(source.startedAt, nth) : source.startedAt + nth * DAY)
    while (source.paid < source.steps && dueAt(source.paid + 1) <= now) {
      source.paid += 1
      const owner = this.members[source.owner]
      if (owner?.earns !== true) continue
      if (source.usd) owner.nft += source.each
      else owner.native += source.each
      for (const { who, level } of this.above(source.owner)) {
        const up = this.members[who]
        const bounty = share(source.each, source.rules.bounty[level - 1] ?? 0n)
        if (up?.earns !== true) continue
        if (source.usd) up.nft += bounty
        else up.native += bounty
      }
    }
  }

  /** Sums the coin staked below each member. Later members are lower, so one pass from the end suffices. */
  private teamStakes(): bigint[] {
    const totals = this.members.map(() => 0n)
    for (let index = this.members.length - 1; index >= 0; index -= 1) {
      const member = this.members[index]
      if (member === undefined || member.sponsor === null) continue
      totals[member.sponsor] = (totals[member.sponsor] ?? 0n) + (totals[index] ?? 0n) + member.staked
    }
    return totals
  }

  /** Ends the stakes whose days are paid, in order of their end, and distributes their rank budgets. */
  private endStakes(now: number): void {
    const over = this.sources.filter((one) => one.principal > 0n && !one.ended && one.paid === one.steps)
    const momentOf = (one: Source) => one.startedAt + one.steps * DAY
    for (const moment of [...new Set(over.map(momentOf))].toSorted((a, b) => a - b)) {
      const together = over.filter((one) => momentOf(one) === moment)
      for (const one of together) this.distributeRankBudget(one, now)
      for (const one of together) {
        const owner = this.members[one.owner]
        one.ended = true
        if (owner === undefined) continue
        owner.staked -= one.principal
        owner.native += one.principal
      }
    }
  }

  private distributeRankBudget(source: Source, now: number): void {
    const days = BigInt(Math.min(source.steps, 365))
    const budgets = source.rules.ranks.map((rank) => (source.principal * rank.bonus * days) / (rank.from * 365n))
    let left = budgets.reduce((most, one) => (one > most ? one : most), 0n)
    const below = this.teamStakes()
    for (let at = this.members[source.owner]?.sponsor ?? null; at !== null; at = this.members[at]?.sponsor ?? null) {
      const leader = this.members[at]
      const branches = this.members.flatMap((one, index) => (one.sponsor === at ? [one.staked + (below[index] ?? 0n)] : []))
      for (const { name, from, bonus } of source.rules.ranks) {
        /** Twice the team total, of which one branch counts for at most half of the rank's target. */
        const half = branches.reduce((sum, one) => sum + (2n * one < from ? 2n * one : from), 0n)
        const had = leader?.filled.get(name) ?? 0n
        const part = bonus - had < left ? bonus - had : left
        if (leader?.earns !== true || half < 2n * from || part === 0n) continue
        left -= part
        leader.filled.set(name, had + part)
        if (had + part === bonus) this.hold(at, false, bonus, now)
      }
    }
  }
}

/** Opening programme rules, transcribed from the requirements (RW-01 to RW-08). */
export const openingRules: ModelRules = {
  referral: 500_000_000n,
  level: [500_000_000n, 300_000_000n, 200_000_000n, 100_000_000n, 100_000_000n],
  bounty: [1_000_000_000n, 500_000_000n, 300_000_000n, 200_000_000n, 100_000_000n],
  ranks: [
    { name: 'bronze', from: 10_000_000_000_000n, bonus: 50_000_000_000n },
    { name: 'silver', from: 50_000_000_000_000n, bonus: 250_000_000_000n },
    { name: 'gold', from: 100_000_000_000_000n, bonus: 500_000_000_000n },
    { name: 'platinum', from: 500_000_000_000_000n, bonus: 2_500_000_000_000n },
    { name: 'diamond', from: 1_000_000_000_000_000n, bonus: 5_000_000_000_000n },
  ],
}
