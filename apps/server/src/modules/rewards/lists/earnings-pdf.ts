import { rewardNames } from '@tizara/contract/reward-names'
import { texts } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { PDF_PAGE, type PdfHead, renderPdf, unitName } from '../../wallets/index.ts'
import type { MonthSum } from '../instant/earned.ts'

/** Positions of the columns: left edge of texts, right edge of amounts. */
const AT = { month: PDF_PAGE.left, kind: 128, amount: 444, unit: 460 }

/** Text in the files and on the page that says in which month a reward counts. */
export const earningsTexts = texts({ rule: 'Daily and monthly rewards count on their day in UTC, the others when they are paid.' })

/** Returns the sums of a year by unit, in units of 10^-8. */
const totalsOf = (months: readonly MonthSum[]): { asset: 'usd' | 'coin'; amount: Units }[] =>
  (['coin', 'usd'] as const).map((asset) => ({
    asset,
    amount: months.filter((one) => one.asset === asset).reduce((sum, one) => sum + one.amount, 0n),
  }))

export const unitOf = (asset: 'usd' | 'coin'): 'USD' | 'coin' => (asset === 'usd' ? 'USD' : 'coin')

/** Renders a year's rewards by month and kind as a PDF file. */
export function earningsPdf({
  year,
  months,
  ...head
}: Omit<PdfHead, 'heading' | 'period'> & { year: string; months: readonly MonthSum[] }): Promise<Uint8Array> {
  return renderPdf(
    { ...head, title: (t) => t('Rewards {year}', { year }), heading: (t) => t('Rewards of {year}', { year }), period: year },
    async (pages, t) => {
      pages.text(t(earningsTexts.rule), AT.month)
      pages.down(20)
      const writeHeading = () => {
        pages.text(t('Month'), AT.month)
        pages.text(t('Kind'), AT.kind)
        pages.figureHeading(t('Amount'), AT.amount)
        pages.text(t('Unit'), AT.unit)
        pages.down()
        pages.rule()
      }
      const writeRow = (month: string, kind: string, amount: Units, asset: 'usd' | 'coin') => {
        pages.text(month, AT.month)
        pages.text(kind, AT.kind)
        pages.figure(amount, AT.amount)
        pages.text(unitName(unitOf(asset), t), AT.unit)
        pages.down()
      }
      writeHeading()
      for (const { month, kind, amount, asset } of months) {
        if (await pages.reserve(1)) writeHeading()
        writeRow(month, t(rewardNames[kind]), amount, asset)
      }
      await pages.reserve(3)
      pages.down(6)
      for (const { asset, amount } of totalsOf(months)) writeRow(year, t('All rewards'), amount, asset)
    },
  )
}
