import type { MessageValue } from '@tizara/contract/staff-values'
import type { WritingJob } from '../../../jobs/background-job.ts'
import { recordMessages } from '../../notices/index.ts'
import { readSegment } from './segment.queries.ts'

/** Members read in one step. */
const STEP = 1_000

/**
 * Sends a message to the active members of a segment, from the newest to the oldest, and counts them. A member gets it once, because each
 * step has its own range of members. Members who register after the start get none.
 */
export const messageJob: WritingJob<MessageValue, { before: string; sent: number }> = {
  name: 'staff-message',
  async step(tx, deps, { id, input: { title, text, segment }, checkpoint }) {
    const now = deps.clock.now()
    const before = checkpoint === undefined ? undefined : BigInt(checkpoint.before)
    const { rows, last } = await readSegment(tx, { ...segment, state: 'active' }, { now, before, limit: STEP, scan: STEP })
    const facts = { title, text }
    await recordMessages(
      tx,
      deps,
      rows.map((row) => ({ memberId: row.id, cause: `${id} ${row.id}`, facts })),
    )
    const sent = (checkpoint?.sent ?? 0) + rows.length
    if (last === undefined) return { done: sent, total: sent, result: { sent } }
    return { done: sent, total: 0, next: { before: String(last), sent } }
  },
}
