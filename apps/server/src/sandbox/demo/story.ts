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

const scene = (day: number, name: string, ...acts: readonly Act[]): Scene => ({ day, who: who(name), acts })
const deposit = (usd: string): Act => ({ do: 'deposit', usd })
const receiveCoin = (coin: string): Act => ({ do: 'receiveCoin', coin })
const buyCoin = (coin: string): Act => ({ do: 'buyCoin', coin })
const sellCoin = (coin: string): Act => ({ do: 'sellCoin', coin })
const swap = (coin: string): Act => ({ do: 'swap', coin })
const EXCHANGE: Act = { do: 'exchange' }
const stake = (plan: string, coin: string, wallet: 'nativewallet' | 'mywallet' = 'nativewallet'): Act => ({
  do: 'stake',
  plan,
  coin,
  wallet,
})
const buyNft = (kind: Extract<Act, { do: 'buyNft' }>['kind']): Act => ({ do: 'buyNft', kind, payby: 'depositwallet' })
const withdraw = (usd: string, decide?: Decision): Act => ({ do: 'withdraw', usd, decide })
const bridge = (coin: string, decide?: Decision): Act => ({ do: 'bridge', coin, decide })

export const scenes: readonly Scene[] = [
  scene(44, 'amara', deposit('5300'), receiveCoin('90000'), receiveCoin('90000')),
  scene(43, 'amara', stake('Silver', '60000'), buyNft('dome')),
  scene(42, 'bruno', deposit('2400'), buyCoin('120000'), EXCHANGE),
  scene(41, 'chiara', deposit('900'), receiveCoin('70000'), stake('Bronze', '55000')),
  scene(40, 'amara', buyCoin('200000'), EXCHANGE, buyNft('land')),
  scene(39, 'bruno', receiveCoin('80000'), stake('Gold', '50000')),
  scene(38, 'rafael', deposit('600'), receiveCoin('20000')),
  scene(37, 'dev', deposit('450'), receiveCoin('30000'), stake('Bronze', '20000')),
  scene(35, 'elif', receiveCoin('60000'), stake('Omega', '45000')),
  scene(34, 'amara', stake('Omega', '40000'), EXCHANGE),
  scene(32, 'felix', deposit('1500'), buyCoin('90000'), buyNft('wagon')),
  scene(30, 'bruno', withdraw('120', 'approve'), buyNft('hotelAndResort')),
  scene(27, 'grace', receiveCoin('35000'), stake('Silver', '30000')),
  scene(25, 'amara', withdraw('250', 'approve'), { do: 'send', usd: '75', to: who('chiara') }),
  scene(22, 'chiara', buyNft('land'), withdraw('40', 'reject')),
  scene(20, 'hugo', deposit('300'), buyCoin('15000'), receiveCoin('2512000')),
  // When it matures, its rank budget fills the bonus of the leader above.
  scene(18, 'hugo', stake('Sprint', '2500000')),
  scene(16, 'amara', swap('15000'), bridge('2500', 'approve'), stake('Sprint', '12000', 'mywallet')),
  scene(14, 'amara', {
    do: 'ticket',
    title: 'When does my Silver stake mature',
    text: 'I would like to know the day on which the principal comes back.',
    answer: 'It matures 180 days after you staked. You find the day on its row in Stake History.',
  }),
  scene(12, 'elif', deposit('2600'), withdraw('1250', 'approve')),
  scene(11, 'dev', deposit('800'), buyCoin('50000'), EXCHANGE),
  scene(9, 'amara', buyNft('wagon'), bridge('1000', 'reject')),
  scene(6, 'bruno', { do: 'send', usd: '50', to: who('amara') }, sellCoin('2000')),
  scene(4, 'amara', deposit('1200'), sellCoin('3000'), stake('Gold', '10000')),
  scene(2, 'amara', withdraw('180'), EXCHANGE),
  scene(1, 'amara', bridge('1200')),
  scene(1, 'elif', withdraw('1150', 'approve once')),
  scene(1, 'felix', { do: 'ticket', title: 'A second image for my NFT', text: 'Could the wagon be shown by night too?' }),
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
