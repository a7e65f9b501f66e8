import { approveChange, type ProposalSubject, staffChanges } from '@tizara/contract/staff-changes'
import type * as v from 'valibot'
import { configuredPlatform } from './configured-platform.ts'
import { CommandError } from './errors.ts'
import { send } from './session.ts'

/**
 * Approves the pending proposal about files with this hash, under the stored session.
 * @returns the server's message
 * @throws CommandError if there is none, or the server refuses the approval
 */
export async function approveByHash(subject: ProposalSubject, hash: string): Promise<string> {
  const platform = configuredPlatform()
  const path = `${staffChanges.path}?status=PENDING&subject=${subject}&limit=100`
  const { data } = await send(platform, { ...staffChanges, path }, JSON.parse)
  const pending = (data as v.InferOutput<typeof staffChanges.reply>).data
  const found = pending.find(({ value }) => (value as { hash?: string }).hash === hash)
  if (found === undefined)
    throw new CommandError('No pending proposal has this hash. Check the files yourself, and compare the hash that the check prints')
  const { message } = await send(platform, { ...approveChange, path: approveChange.path.replace(':id', found.id), body: {} })
  return message
}
