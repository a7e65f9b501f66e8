import type { BodyOf } from '@tizara/contract'
import type { startAccountingExport } from '@tizara/contract/staff-accounting'
import { JobError, type JobKind } from '../../../jobs/background-job.ts'
import { ChartError } from './chart.rules.ts'
import { closedMonth, declarations, ExportError, finishMonth, type MonthProgress, startOf, sumNextPart } from './export-month.ts'
import { fileNameOf } from './render-journal.rules.ts'

type Input = BodyOf<typeof startAccountingExport>

/** Writes the journal of a closed month, or the declarations of the chart's accounts, to a file. */
export const accountingJob: JobKind<Input, MonthProgress> = {
  name: 'staff-accounting',
  file: ({ month, format }) => ({
    name: fileNameOf(month, format),
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8',
  }),
  step: async (tx, deps, { input: { month, format }, checkpoint }) => {
    try {
      if (month === undefined) return { done: 1, total: 1, write: declarations(deps, format), result: {} }
      const close = await closedMonth(tx, month)
      const progress = checkpoint ?? startOf(close)
      const count = { done: Number(BigInt(progress.through) - close.afterId), total: Number(close.lastId - close.afterId) }
      if (BigInt(progress.through) < close.lastId) return { ...count, next: await sumNextPart(tx, close, progress) }
      const { text, digest, firstAt, otherChartAt } = await finishMonth(tx, deps, close, progress, format)
      const [first, other] = [firstAt, otherChartAt].map((at) => at?.toISOString())
      return {
        ...count,
        write: text,
        result: { digest, ...(first === undefined ? {} : { first }), ...(other === undefined ? {} : { other }) },
      }
    } catch (error) {
      throw error instanceof ChartError || error instanceof ExportError ? new JobError(error.message) : error
    }
  },
}
