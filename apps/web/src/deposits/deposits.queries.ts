import { getInvoice, getPaymentStatus } from '@tizara/contract/deposits'
import { INVOICE_POLL_SECONDS } from '@tizara/contract'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/http/query.ts'
import { clockAhead, invoiceState } from './invoice-state.ts'

/** Loads the invoice page (API-95). */
export const useInvoice = (id: string) => useQuery({ ...read(getInvoice, { params: { id } }), enabled: id !== '', staleTime: Infinity })

/**
 * Polls an invoice every 15 seconds (ST-65) until its final state (ST-73).
 * @param end end of the time to pay, epoch milliseconds on the server's clock
 */
export const usePaymentStatus = (id: string, end: number) =>
  useQuery({
    ...read(getPaymentStatus, { params: { id } }),
    refetchInterval: ({ state }) => {
      const invoice = invoiceState(state.data, Date.now() + clockAhead(state.data, state.dataUpdatedAt) >= end)
      return invoice === 'success' || invoice === 'expired' ? false : INVOICE_POLL_SECONDS * 1000
    },
    refetchIntervalInBackground: true,
    staleTime: 0,
  })
