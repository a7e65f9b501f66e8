import { revealRequestAddress } from '@tizara/contract/staff-queues'
import { useQuery } from '@tanstack/react-query'
import { call, toApiError } from '../../../lib/http/api.ts'
import { toast } from '../../../ui/toast-store.ts'
import { isOffline } from '../../kit/offline.tsx'
import type { QueueRow } from './queue.ts'

/** Returns a payout's full address after its reveal, and the function that reveals it. The audit log records the reveal. */
export function usePayoutAddress(item: Pick<QueueRow, 'kind' | 'id'> | undefined) {
  const { kind = 'withdrawals', id = '' } = item ?? {}
  const { data, refetch } = useQuery({
    queryKey: [revealRequestAddress.name, kind, id],
    queryFn: async () => (await call(revealRequestAddress, { params: { kind, id }, body: {} })).data.address,
    enabled: false,
    staleTime: Infinity,
  })
  /** Returns the address, or undefined after an error message. */
  async function reveal(): Promise<string | undefined> {
    if (data !== undefined) return data
    if (isOffline()) {
      toast('There is no connection', { tone: 'danger' })
      return undefined
    }
    const { data: address, error } = await refetch()
    if (error !== null) toast(toApiError(error).message, { tone: 'danger' })
    return address
  }
  return { address: data, reveal }
}
