import { email } from '@tizara/contract'
import * as v from 'valibot'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { startFactorReset } from '../../../auth/index.ts'
import { memberByEmail } from '../../../members/index.ts'
import { noCurrent, proposalKind } from '../shared/proposal-kind.ts'
import { memberWithEmail } from '../shared/members-of.ts'
import { textOf } from '../shared/title-text.ts'

/** Starts the waiting period after which a lost authenticator app is removed [ASVS 6.4.4]. */
export const secondFactorReset = proposalKind({
  subject: 'second-factor',
  value: v.object({ email }),
  members: memberWithEmail,
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, deps, { email: address }) {
    const member = await memberByEmail(tx, address)
    if (member === undefined) throw new AppError('USER_NOT_FOUND')
    const resetsAt = await startFactorReset(tx, deps, member.id)
    // The proposal names no member id, so this entry shows the reset to the member.
    const detail = { resetsAt: resetsAt.toISOString() }
    return { audit: [{ action: 'member.reset-second-factor', subject: { type: 'member', id: member.public_id }, detail }] }
  },
  title: (value) => `Reset two-factor authentication of ${textOf(value['email'])}`,
})
