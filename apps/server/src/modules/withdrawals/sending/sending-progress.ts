import { sql } from 'kysely'
import { explorerLink } from '../../../gateways/chain/index.ts'
import type { Config } from '../../../platform/config/config.ts'

/** How far the hot wallet has sent a payment. */
export interface SendingProgress {
  state: 'QUEUED' | 'SIGNED' | 'MINED' | 'DONE' | 'FAILED' | 'CANCELLED'
  endedAt?: Date
  problem?: string
  /** True if a cancellation was requested and the chain has not decided yet. */
  cancelling: boolean
  txHash?: string
  txUrl?: string
}

/** Columns of {@link SENDING_COLUMNS}. */
export interface SendingColumns {
  state: SendingProgress['state']
  endedAt: Date | null
  problem: string | null
  cancelling: boolean
  hash: string | null
}

/** Selects the columns of the progress from payout_sending, as `s`. */
export const SENDING_COLUMNS = sql`s.state, s.ended_at as "endedAt", s.problem,
  s.cancel_asked_at is not null and s.ended_at is null as cancelling,
  (select t.hash from signed_transaction t where t.request_id = s.request_id order by t.block is null, t.made_at desc limit 1) as hash`

/** Converts the columns of a row to its progress. */
export const withProgress = <Row extends SendingColumns>(
  config: Pick<Config, 'explorerUrl'>,
  { state, endedAt, problem, cancelling, hash, ...row }: Row,
): Omit<Row, keyof SendingColumns> & SendingProgress => ({
  ...row,
  state,
  cancelling,
  ...(endedAt === null ? {} : { endedAt }),
  ...(problem === null ? {} : { problem }),
  ...(hash === null ? {} : { txHash: hash, ...explorerLink(config, hash) }),
})
