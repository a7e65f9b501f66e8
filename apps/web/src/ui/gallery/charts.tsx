import { Card, CardHeader } from '../card.tsx'
import { AreaChart } from '../charts/area-chart.tsx'
import { Donut } from '../charts/donut.tsx'
import { Sparkline } from '../charts/sparkline.tsx'
import { StackedBarLine } from '../charts/stacked-bar-line.tsx'
import { StackedBars } from '../charts/stacked-bars.tsx'
import { Timeline } from '../charts/timeline.tsx'
import { Money } from '../money.tsx'
import { ProgressBar, ProgressRing } from '../progress.tsx'

let seed = 7
function random(): number {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}
const START = Date.UTC(2026, 9, 22)
const POINTS = Array.from({ length: 46 }, (_, i) => ({
  t: START + i * 864e5,
  v: Math.round((11900 + i * 13 + (random() - 0.5) * 160) * 100) / 100,
}))
const SERIES = [
  { key: 'd', label: 'Daily' },
  { key: 'b', label: 'Bounty' },
  { key: 'l', label: 'Level' },
  { key: 'r', label: 'Referral' },
  { key: 'n', label: 'NFT' },
]
const GROUPS = Array.from({ length: 13 }, (_, i) => ({
  key: `${i}`,
  label: `${35 + i}`,
  title: `Week ${35 + i}`,
  values: { d: 42 + i * 1.6 + random() * 8, b: 16 + random() * 10, l: random() * 14, r: random() * 7, n: i % 4 === 1 ? 16 : 0 },
}))
const SHARES = [
  ['Deposit Wallet', 2410],
  ['Native Wallet', 1473],
  ['My Wallet', 772],
  ['Stake Wallet', 5120],
  ['ICO Wallet', 1696],
  ['NFT Wallet', 40],
] as const
const parts = SHARES.map(([label, value]) => ({ key: label, label, value }))

/** Pictures of figures. */
export function Charts() {
  return (
    <section className="grid gap-3.5 lg:grid-cols-12">
      <Card className="lg:col-span-8">
        <CardHeader
          title="Everything you hold"
          action={<span className="text-faint">estimate at 0.008 USD per coin</span>}
          className="mb-1"
        />
        <Money value="12486.204" unit="USD" tap className="text-4xl font-strong tracking-num" />
        <div className="mt-4 mb-5">
          <AreaChart label="Portfolio value in USD" points={POINTS} />
        </div>
        <StackedBarLine label="By wallet" parts={parts} />
      </Card>
      <Card className="lg:col-span-4">
        <CardHeader title="TIZARA" className="mb-1" />
        <Money value="0.008" decimals={4} unit="USD" className="text-3xl font-strong tracking-num" />
        <Sparkline values={POINTS.map((p) => p.v)} height={64} className="my-4" />
        <Donut label="Shares" parts={parts} size={132}>
          100%
        </Donut>
      </Card>
      <Card className="lg:col-span-7">
        <CardHeader title="Rewards by week" className="mb-3" />
        <StackedBars label="Rewards by week" series={SERIES} groups={GROUPS} groupLabel="Week" />
      </Card>
      <Card className="lg:col-span-5">
        <CardHeader title="Next for you" className="mb-1" />
        <Timeline
          label="Next for you"
          items={[
            { key: '1', when: 'Today', title: 'Daily reward, 3 stakes', value: '41.10', filled: true },
            { key: '2', when: '24 Nov', title: 'NFT reward, DOME #1', hint: 'month 4 of 12', value: '18.33 USD' },
            { key: '3', when: '28 Nov', title: 'Referral bonus leaves hold', value: '250.00', tone: 'warning' },
            { key: '4', when: '1 Mar', title: 'Gold 365D matures, principal returns', value: '500,000' },
          ]}
        />
      </Card>
      <Card className="lg:col-span-4">
        <CardHeader title="Stakes" level={3} />
        <div className="flex items-center gap-4">
          <ProgressRing label="Gold 365D" value={112} max={365} valueText="112 of 365 days">
            31%
          </ProgressRing>
          <ProgressRing label="Done" value={100} tone="success" size={44}>
            ✓
          </ProgressRing>
          <ProgressRing label="New" value={0} size={44} />
          <div className="flex-1 space-y-3">
            <ProgressBar label="Supply" value={2} max={10000} />
            <ProgressBar label="Sold" value={60} />
          </div>
        </div>
      </Card>
      <Card className="lg:col-span-4">
        <AreaChart label="One day" points={POINTS.slice(0, 1)} height={110} />
      </Card>
      <Card className="lg:col-span-4">
        <StackedBars label="Empty" series={SERIES} groups={[]} height={110} legend={false} />
      </Card>
    </section>
  )
}
