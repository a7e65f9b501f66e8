import type { BodyOf } from '@tizara/contract'
import { proposeChange, staffChanges } from '@tizara/contract/staff-changes'
import { call } from '../../lib/http/api.ts'
import { refetch } from '../../lib/http/query.ts'
import { toast } from '../../ui/toast-store.ts'

/**
 * Proposes a value that needs no preview, and reads the list of proposals again.
 * @throws ApiError if the server refuses it
 */
export async function submitProposal(change: BodyOf<typeof proposeChange>): Promise<void> {
  await call(proposeChange, { body: change })
  toast('Proposed; another person has to approve it')
  await refetch(staffChanges)
}
