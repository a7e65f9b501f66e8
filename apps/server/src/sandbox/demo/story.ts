import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { PastChain } from './past-chain.ts'

/** The stage: the database, a clock fixed on the scene's day, and the deciding staff. */
export interface Stage {
  db: Db
  deps: Deps
  chain: PastChain
  staff: { admin: bigint; checker: bigint; support: bigint }
}
/** Staff decision about a payout: approved, by two people where required, or by the first of them only. */
export type Decision = 'approve' | 'approve once' | 'reject' | undefined

/** Member action in the demo story. Amounts are plain decimals. */
export type Act =
  | { do: 'deposit'; usd: string }
  | { do: 'receiveCoin'; coin: string }
  | { do: 'buyCoin'; coin: string }
  | { do: 'exchange' }
  | { do: 'swap'; coin: string }
  | { do: 'sellCoin'; coin: string }
  | { do: 'stake'; plan: string; coin: string; wallet: 'nativewallet' | 'mywallet' }
  | { do: 'buyNft'; kind: 'dome' | 'wagon' | 'hotelAndResort' | 'land'; payby: 'depositwallet' | 'nativewallet' }
  | { do: 'send'; usd: string; to: string }
  | { do: 'withdraw'; usd: string; decide?: Decision }
  | { do: 'bridge'; coin: string; decide?: Decision }
  | { do: 'ticket'; title: string; text: string; answer?: string }

/** An action of the story, on a day before today. */
export interface Scene {
  day: number
  who: string
  acts: readonly Act[]
}

const who = (name: string) => `${name}@example.com`

export const scenes: readonly Scene[] = [
  {
    day: 44,
    who: who('amara'),
    acts: [
      { do: 'deposit', usd: '5300' },
      { do: 'receiveCoin', coin: '90000' },
      { do: 'receiveCoin', coin: '90000' },
    ],
  },
  {
    day: 43,
    who: who('amara'),
    acts: [
      { do: 'stake', plan: 'Silver', coin: '60000', wallet: 'nativewallet' },
      { do: 'buyNft', kind: 'dome', payby: 'depositwallet' },
    ],
  },
  { day: 42, who: who('bruno'), acts: [{ do: 'deposit', usd: '2400' }, { do: 'buyCoin', coin: '120000' }, { do: 'exchange' }] },
  {
    day: 41,
    who: who('chiara'),
    acts: [
      { do: 'deposit', usd: '900' },
      { do: 'receiveCoin', coin: '70000' },
      { do: 'stake', plan: 'Bronze', coin: '55000', wallet: 'nativewallet' },
    ],
  },
  {
    day: 40,
    who: who('amara'),
    acts: [{ do: 'buyCoin', coin: '200000' }, { do: 'exchange' }, { do: 'buyNft', kind: 'land', payby: 'depositwallet' }],
  },
  {
    day: 39,
    who: who('bruno'),
    acts: [
      { do: 'receiveCoin', coin: '80000' },
      { do: 'stake', plan: 'Gold', coin: '50000', wallet: 'nativewallet' },
    ],
  },
  {
    day: 38,
    who: who('rafael'),
    acts: [
      { do: 'deposit', usd: '600' },
      { do: 'receiveCoin', coin: '20000' },
    ],
  },
  {
    day: 37,
    who: who('dev'),
    acts: [
      { do: 'deposit', usd: '450' },
      { do: 'receiveCoin', coin: '30000' },
      { do: 'stake', plan: 'Bronze', coin: '20000', wallet: 'nativewallet' },
    ],
  },
  {
    day: 35,
    who: who('elif'),
    acts: [
      { do: 'receiveCoin', coin: '60000' },
      { do: 'stake', plan: 'Omega', coin: '45000', wallet: 'nativewallet' },
    ],
  },
  { day: 34, who: who('amara'), acts: [{ do: 'stake', plan: 'Omega', coin: '40000', wallet: 'nativewallet' }, { do: 'exchange' }] },
  {
    day: 32,
    who: who('felix'),
    acts: [
      { do: 'deposit', usd: '1500' },
      { do: 'buyCoin', coin: '90000' },
      { do: 'buyNft', kind: 'wagon', payby: 'depositwallet' },
    ],
  },
  {
    day: 30,
    who: who('bruno'),
    acts: [
      { do: 'withdraw', usd: '120', decide: 'approve' },
      { do: 'buyNft', kind: 'hotelAndResort', payby: 'depositwallet' },
    ],
  },
  {
    day: 27,
    who: who('grace'),
    acts: [
      { do: 'receiveCoin', coin: '35000' },
      { do: 'stake', plan: 'Silver', coin: '30000', wallet: 'nativewallet' },
    ],
  },
  {
    day: 25,
    who: who('amara'),
    acts: [
      { do: 'withdraw', usd: '250', decide: 'approve' },
      { do: 'send', usd: '75', to: who('chiara') },
    ],
  },
  {
    day: 22,
    who: who('chiara'),
    acts: [
      { do: 'buyNft', kind: 'land', payby: 'depositwallet' },
      { do: 'withdraw', usd: '40', decide: 'reject' },
    ],
  },
  {
    day: 20,
    who: who('hugo'),
    acts: [
      { do: 'deposit', usd: '300' },
      { do: 'buyCoin', coin: '15000' },
      { do: 'receiveCoin', coin: '2512000' },
    ],
  },
  // When it matures, its rank budget fills the bonus of the leader above.
  { day: 18, who: who('hugo'), acts: [{ do: 'stake', plan: 'Sprint', coin: '2500000', wallet: 'nativewallet' }] },
  {
    day: 16,
    who: who('amara'),
    acts: [
      { do: 'swap', coin: '15000' },
      { do: 'bridge', coin: '2500', decide: 'approve' },
      { do: 'stake', plan: 'Sprint', coin: '12000', wallet: 'mywallet' },
    ],
  },
  {
    day: 14,
    who: who('amara'),
    acts: [
      {
        do: 'ticket',
        title: 'When does my Silver stake mature',
        text: 'I would like to know the day on which the principal comes back.',
        answer: 'It matures 180 days after you staked. You find the day on its row in Stake History.',
      },
    ],
  },
  {
    day: 12,
    who: who('elif'),
    acts: [
      { do: 'deposit', usd: '2600' },
      { do: 'withdraw', usd: '1250', decide: 'approve' },
    ],
  },
  { day: 11, who: who('dev'), acts: [{ do: 'deposit', usd: '800' }, { do: 'buyCoin', coin: '50000' }, { do: 'exchange' }] },
  {
    day: 9,
    who: who('amara'),
    acts: [
      { do: 'buyNft', kind: 'wagon', payby: 'depositwallet' },
      { do: 'bridge', coin: '1000', decide: 'reject' },
    ],
  },
  {
    day: 6,
    who: who('bruno'),
    acts: [
      { do: 'send', usd: '50', to: who('amara') },
      { do: 'sellCoin', coin: '2000' },
    ],
  },
  {
    day: 4,
    who: who('amara'),
    acts: [
      { do: 'deposit', usd: '1200' },
      { do: 'sellCoin', coin: '3000' },
      { do: 'stake', plan: 'Gold', coin: '10000', wallet: 'nativewallet' },
    ],
  },
  { day: 2, who: who('amara'), acts: [{ do: 'withdraw', usd: '180' }, { do: 'exchange' }] },
  { day: 1, who: who('amara'), acts: [{ do: 'bridge', coin: '1200' }] },
  { day: 1, who: who('elif'), acts: [{ do: 'withdraw', usd: '1150', decide: 'approve once' }] },
  {
    day: 1,
    who: who('felix'),
    acts: [{ do: 'ticket', title: 'A second picture for my NFT', text: 'Could the wagon be shown by night too?' }],
  },
]

/** Coin price in USD from a number of days before today. The first prices precede the cast. */
export const prices: readonly { day: number; price: string }[] = [
  { day: 96, price: '0.0052' },
  { day: 82, price: '0.0055' },
  { day: 71, price: '0.0054' },
  { day: 63, price: '0.0058' },
  { day: 54, price: '0.0061' },
  { day: 45, price: '0.0064' },
  { day: 36, price: '0.0067' },
  { day: 29, price: '0.0071' },
  { day: 21, price: '0.0069' },
  { day: 14, price: '0.0074' },
  { day: 7, price: '0.0078' },
  { day: 3, price: '0.008' },
]

export const plans = [
  { name: 'Sprint', days: 15, minimum: '500', apy: '0.6', omega: false },
  { name: 'Bronze', days: 90, minimum: '1000', apy: '4', omega: false },
  { name: 'Silver', days: 180, minimum: '5000', apy: '9', omega: false },
  { name: 'Gold', days: 365, minimum: '10000', apy: '20', omega: false },
  { name: 'Omega', days: 365, minimum: '20000', apy: '24', omega: true },
] as const

export const nfts = [
  { kind: 'dome', name: 'Dome', title: 'A glass dome under the mountains', price: '1100', months: 24, percent: '36' },
  { kind: 'wagon', name: 'Wagon', title: 'A wagon that stays where you like it', price: '350', months: 18, percent: '24' },
  { kind: 'hotelAndResort', name: 'Hotel And Resort', title: 'A share of a house by the sea', price: '950', months: 36, percent: '60' },
  { kind: 'land', name: 'Land', title: 'A plot with a view', price: '120', months: 12, percent: '12' },
] as const
