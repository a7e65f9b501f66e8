import type { bridgeRow, withdrawalRow } from '@tizara/contract/withdrawals'
import { t, texts } from '@tizara/languages'
import type { InferOutput } from 'valibot'
import { ChainTransaction } from '../ui/address.tsx'
import type { DescriptionRow } from '../ui/description-list.tsx'

/** An approved payout's on-chain progress, for the member. */
const SENDING = texts({
  waiting: 'Will be sent in a moment',
  sent: 'Sent, not in a block yet',
  confirming: 'In a block, waiting for twelve confirmations',
  arrived: 'Arrived',
})

export const payoutDetails = (row: InferOutput<typeof withdrawalRow> | InferOutput<typeof bridgeRow>): DescriptionRow[] => [
  ...(row.reason === undefined ? [] : [{ label: t('Reason'), value: t(row.reason), stacked: true }]),
  ...(row.txHash === undefined
    ? []
    : [{ label: t('Transaction'), value: <ChainTransaction hash={row.txHash} url={row.txUrl} />, stacked: true }]),
  ...(row.sending === undefined ? [] : [{ label: t('On the chain'), value: SENDING[row.sending] }]),
]
