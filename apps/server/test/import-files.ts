import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { formatUnits } from '@tizara/money'
import { walletKinds } from '../src/ledger/index.ts'
import { dice } from './dice.ts'

const HEADER = 'id,email,name,phone,referral_code,sponsor_id,joined_at,verified,active,password_hash'
const STAKES_HEADER = 'member_id,plan,wallet,amount,percent,duration_days,started_at,paid_days'
const WALLETS = walletKinds.filter((wallet) => wallet !== 'stakeWallet')

export interface OldMember {
  id: string
  email: string
  code: string
  sponsor: string
  verified: boolean
  active: boolean
  hash: string
  balances: Partial<Record<(typeof WALLETS)[number], bigint>>
  stakes?: readonly OldStake[]
  nfts?: readonly OldNft[]
  history?: readonly OldMovement[]
}

/** A movement before the move. */
export interface OldMovement {
  happenedAt: string
  title: string
  direction: 'in' | 'out'
  unit: 'usd' | 'coin'
  amount: bigint
  reference: string
}

export interface OldNft {
  nft: string
  /** USD units, and percent units. */
  price: bigint
  percent: bigint
  months: number
  boughtAt: Date
  paidMonths: number
}

export interface OldStake {
  plan: string
  wallet: 'nativeWallet' | 'icoWallet'
  /** Coin units, and percent units. */
  amount: bigint
  percent: bigint
  days: number
  startedAt: Date
  paidDays: number
}

/** For tests: reward of an NFT per month, in USD units. */
export const oldMonth = ({ price, percent, months }: OldNft): bigint => (price * percent) / (10_000_000_000n * BigInt(months))

/** For tests: time at which a month of an NFT is due. In a shorter month it is the last day. */
export function monthDue({ boughtAt }: OldNft, month: number): number {
  const [year, index] = [boughtAt.getUTCFullYear(), boughtAt.getUTCMonth() + month]
  const day = Math.min(boughtAt.getUTCDate(), new Date(Date.UTC(year, index + 1, 0)).getUTCDate())
  return Date.UTC(year, index, day) + (boughtAt.getTime() % 86_400_000)
}

/** For tests: reward of a stake per day, in coin units. */
export const oldReward = ({ amount, percent, days }: OldStake): bigint => (amount * percent) / (10_000_000_000n * BigInt(days))

/** For tests: a random old platform. `prefix` keeps its members apart from others in the same database. */
export function oldPlatform(seed: number, size: number, prefix: string): OldMember[] {
  const roll = dice(seed)
  return Array.from({ length: size }, (_, index) => ({
    id: `${prefix}${index}`,
    email: `${prefix}${index}@gmail.com`,
    code: `${prefix.toUpperCase()}CODE${index}`,
    sponsor: index > 0 && roll(4) > 0 ? `${prefix}${roll(index)}` : '',
    verified: roll(5) > 0,
    active: roll(8) > 0,
    hash: '',
    balances: Object.fromEntries(
      WALLETS.filter(() => roll(2) === 0).map((wallet) => [wallet, BigInt(1 + roll(1_000_000_000)) * (roll(2) === 0 ? 1n : 100_000n)]),
    ),
  }))
}

/** For tests: writes the files of an import. `off` adds units to the first sum of `totals.json`. */
export function writeImport(folder: string, members: readonly OldMember[], off = 0n): void {
  mkdirSync(folder, { recursive: true })
  const sums = new Map<string, bigint>()
  const balances = members.flatMap(({ id, balances: held }) =>
    Object.entries(held).map(([wallet, amount]) => {
      sums.set(wallet, (sums.get(wallet) ?? 0n) + amount)
      return `${id},${wallet},${formatUnits(amount)}`
    }),
  )
  const stakes = members.flatMap(({ id, stakes: own = [] }) => own.map((stake) => ({ id, ...stake })))
  const promised = new Map<string, bigint>()
  const promisedUsd = new Map<string, bigint>()
  const nfts = members.flatMap(({ id, nfts: own = [] }) => own.map((nft) => ({ id, ...nft })))
  for (const nft of nfts)
    for (let month = nft.paidMonths + 1; month <= nft.months; month += 1) {
      const due = new Date(monthDue(nft, month)).toISOString().slice(0, 7)
      promisedUsd.set(due, (promisedUsd.get(due) ?? 0n) + oldMonth(nft))
    }
  const nftRows = nfts.map(({ id, nft, price, percent, months, boughtAt, paidMonths }) =>
    [id, nft, formatUnits(price), formatUnits(percent), months, boughtAt.toISOString().replace('.000Z', 'Z'), paidMonths].join(','),
  )
  for (const stake of stakes) {
    sums.set('stakeWallet', (sums.get('stakeWallet') ?? 0n) + stake.amount)
    for (let day = stake.paidDays + 1; day <= stake.days; day += 1) {
      const month = new Date(stake.startedAt.getTime() + day * 86_400_000).toISOString().slice(0, 7)
      promised.set(month, (promised.get(month) ?? 0n) + oldReward(stake))
    }
  }
  const stakeRows = stakes.map(({ id, plan, wallet, amount, percent, days, startedAt, paidDays }) =>
    [id, plan, wallet, formatUnits(amount), formatUnits(percent), days, startedAt.toISOString().replace('.000Z', 'Z'), paidDays].join(','),
  )
  const rows = members.map(({ id, email, code, sponsor, verified, active, hash }) =>
    [id, email, `Member ${id}`, '+2348031234567', code, sponsor, '2021-03-04T05:06:07Z', verified, active, `"${hash}"`].join(','),
  )
  const history = members.flatMap(({ id, history: own = [] }) =>
    own.map((row) => [id, row.happenedAt, row.title, row.direction, row.unit, formatUnits(row.amount), row.reference].join(',')),
  )
  const total = ([wallet, sum]: [string, bigint], index: number) => [wallet, formatUnits(index === 0 ? sum + off : sum)]
  const totals = {
    members: members.length,
    referrals: members.filter(({ sponsor }) => sponsor !== '').length,
    balances: Object.fromEntries([...sums].map(total)),
    specialMembers: members.length > 0 ? 1 : 0,
    ranked: members.length > 0 ? 1 : 0,
    stakes: stakes.length,
    nfts: nfts.length,
    history: history.length,
    promisedCoin: Object.fromEntries([...promised].map(([month, sum]) => [month, formatUnits(sum)])),
    promisedUsd: Object.fromEntries([...promisedUsd].map(([month, sum]) => [month, formatUnits(sum)])),
  }
  const write = (name: string, lines: readonly string[]) => writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`)
  write('members.csv', [HEADER, ...rows])
  write('balances.csv', ['member_id,wallet,amount', ...balances])
  write('standing.csv', ['member_id,rank,special', ...members.slice(0, 1).map(({ id }) => `${id},gold,true`)])
  if (nfts.length > 0) write('nfts.csv', ['member_id,nft,price,percent,months,bought_at,paid_months', ...nftRows])
  if (stakes.length > 0) write('stakes.csv', [STAKES_HEADER, ...stakeRows])
  if (history.length > 0) write('history.csv', ['member_id,happened_at,title,direction,unit,amount,reference', ...history])
  write('totals.json', [JSON.stringify(totals)])
}
