import { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { INVOICE_POLL_SECONDS } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/query.ts'
import { clockAhead, invoiceState } from './invoice-state.ts'

/** What the invoice page shows (API-95). */
export const useInvoice = (id: string) => useQuery({ ...read(getInvoice, { params: { id } }), enabled: id !== '', staleTime: Infinity })

/**
 * The state of an invoice, asked for every 15 seconds (ST-65) until it has an end (ST-73).
 * @param end when it can no longer be paid, epoch milliseconds of the server's clock
 */
export const usePaymentStatus = (id: string, end: number) =>
  useQuery({
    ...read(getPaymentStatus, { params: { id } }),
    refetchInterval: ({ state }) => {
      const now = invoiceState(state.data, Date.now() + clockAhead(state.data, state.dataUpdatedAt) >= end)
      return now === 'success' || now === 'expired' ? false : INVOICE_POLL_SECONDS * 1000
    },
    refetchIntervalInBackground: true,
    staleTime: 0,
    retry: false,
  })
