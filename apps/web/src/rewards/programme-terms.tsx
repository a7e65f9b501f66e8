import type { ReplyOf } from '@tizara/contract'
import { rewardProgramme } from '@tizara/contract/rewards'
import { formatUnits } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { afterComma, joinList, t, texts } from '@tizara/languages'
import Check from 'lucide-react/icons/check'
import { decimalsOf } from '../lib/lists/list-columns.tsx'
import { read } from '../lib/http/query.ts'
import { ranksClass, sharesClass } from './shares-class.ts'
import { useTeamStake } from '../team/index.ts'
import { useWalletUnit } from '../wallets/index.ts'
import { Card, CardHeader } from '../ui/card.tsx'
import { formatAmount } from '../ui/money-format.ts'
import { Money } from '../ui/money.tsx'
import { ProgressBar } from '../ui/progress.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { T } from '../ui/t.tsx'

type Programme = ReplyOf<typeof rewardProgramme>

/** Loads the reward programme in force. Servers that implement only the specification lack this call; then nothing is shown. */
const useProgramme = () => useQuery({ ...read(rewardProgramme), staleTime: 300_000 })

/** For each list: the base of the percentages, the time of payment if rewards are pending first, and the percentages. */
const TERMS = texts(['of', 'paid'], {
  referral: { of: 'the coin that they buy with newly deposited USD', shares: (programme: Programme) => [programme.referralPercent] },
  level: { of: 'each new stake', paid: 'Paid when the stake matures.', shares: (programme: Programme) => programme.levelPercents },
  bounty: { of: 'each daily reward', shares: (programme: Programme) => programme.bountyPercents },
  stakeLogBounty: { of: 'each daily reward of an Omega stake', shares: (programme: Programme) => programme.stakeLogBountyPercents },
  nftLevel: {
    of: 'the price of each NFT',
    paid: 'Paid with the first monthly reward.',
    shares: (programme: Programme) => programme.nftLevelPercents,
  },
  nftBounty: { of: 'each monthly NFT reward', shares: (programme: Programme) => programme.nftBountyPercents },
} as const)

export type TermsOf = keyof typeof TERMS

/** Formats `5% on level 1, 3% on level 2`; a single share has no level. */
function byLevel(shares: readonly bigint[]): string {
  const percents = shares.map((share) => `${formatUnits(share)}%`)
  return percents.length === 1
    ? percents.join('')
    : joinList(percents.map((percent, index) => t('{percent} on level {index}', { percent, index: index + 1 })))
}

/** Shows each level's share in a list's rewards (RW-01, RW-02, RW-04, RW-07 to RW-09). */
export function Shares({ list }: { list: TermsOf }) {
  const { data: programme, isPending } = useProgramme()
  if (isPending) return <p className={sharesClass(list)} />
  if (programme === undefined) return null
  const terms = TERMS[list]
  const { of, shares } = terms
  const omega = list === 'level' ? byLevel(programme.stakeLogLevelPercents) : undefined
  const usual = byLevel(shares(programme))
  const full = list === 'level' ? programme.fullLevelShareDays : undefined
  return (
    <p className={sharesClass(list)}>
      <T text="You get {usual} of {of}" usual={usual} of={of} />
      {omega !== undefined && omega !== usual && t(', and {omega} when it is an Omega stake', { omega })}.
      {full !== undefined && full > 1 && t(' Shorter stakes pay in proportion: a 90-day stake pays 90/{full} of it.', { full })}
      <T
        text="{paid} Older stakes and purchases keep the rates they started with. The receipt shows which."
        paid={'paid' in terms && ` ${terms.paid}`}
      />
    </p>
  )
}

/** Formats the filled part of a bonus: `125 of 500 filled (25%)`. The percentage is rounded down, so that 100% means paid. */
const filledText = (filled: bigint, bonus: bigint) =>
  t('{filled} of {bonus} filled ({filled2}%)', {
    filled: formatAmount(filled, decimalsOf(filled)),
    bonus: formatAmount(bonus, decimalsOf(bonus)),
    filled2: (filled * 100n) / bonus,
  })

/** Shows each rank's condition and bonus, the team's counted stake and the filled part of each bonus (RW-05). */
export function RankLadder() {
  const { data: programme, isPending } = useProgramme()
  const { data: team } = useTeamStake()
  const unit = useWalletUnit()('nativeWallet')
  if (isPending) return <Skeleton className={ranksClass} />
  if (programme === undefined || programme.ranks.length === 0) return null
  // Servers that implement only the specification send only team totals. These count the team of each direct referral in full,
  // also above half of a threshold.
  const staked = programme.rankStake ?? (team === undefined ? undefined : (team.runningStake ?? team.totalStake))
  const next = staked === undefined ? undefined : programme.ranks.find((rank) => rank.teamStake > staked)
  const plain = (value: bigint) => formatAmount(value, decimalsOf(value))
  return (
    <Card className="mb-5" aria-labelledby="ranks">
      <CardHeader
        id="ranks"
        title={t('Ranks')}
        hint={t(
          'Your rank depends on what your whole team has staked right now. At most half of a threshold counts from one direct referral. Each stake fills a part of your bonus when it matures while your team holds the threshold. A full bonus is paid once.',
        )}
      />
      {staked !== undefined && next !== undefined && (
        <div className="mb-3">
          <p className="mb-1.5 text-sm text-muted">
            <T
              text="{staked} of {teamStake} {unit} counted now, to {rank}"
              staked={plain(staked)}
              teamStake={plain(next.teamStake)}
              unit={unit}
              rank={next.rank.toUpperCase()}
            />
          </p>
          <ProgressBar
            label={t('To {rank}', { rank: next.rank.toUpperCase() })}
            value={Number(staked / 100_000_000n)}
            max={Number(next.teamStake / 100_000_000n)}
            valueText={t('{staked} of {teamStake} {unit}', { staked: plain(staked), teamStake: plain(next.teamStake), unit })}
          />
        </div>
      )}
      <ul className="divide-y text-sm">
        {programme.ranks.map(({ rank, teamStake, bonus, filled = 0n }) => {
          const reached = staked !== undefined && staked >= teamStake
          return (
            <li key={rank} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[8rem_1fr_auto]">
              <span className="flex items-center gap-1.5 font-semi">
                {rank.toUpperCase()}
                {reached && <Check size={14} role="img" className="text-success" aria-label={t('reached')} />}
              </span>
              <span className="text-muted max-sm:order-last max-sm:col-span-2">
                <T text="from a team stake of {teamStake} {unit}" teamStake={plain(teamStake)} unit={unit} />
                {filled > 0n && afterComma(filledText(filled, bonus))}
              </span>
              <span className="text-end">
                <Money value={bonus} unit={unit} />
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
