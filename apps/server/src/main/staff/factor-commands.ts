import { email as emailSchema } from '@tizara/contract'
import * as v from 'valibot'
import { proposeSecondFactorReset } from '../../modules/staff/index.ts'
import { act } from './act.ts'
import { BadUsage, needed, neededReason } from './arguments.ts'
import type { Command } from './command.ts'

export const factorCommands: readonly (readonly [string, Command])[] = [
  [
    'reset-second-factor',
    {
      needsActor: true,
      run: async (input) => {
        const reason = neededReason(input.options)
        const email = v.safeParse(emailSchema, needed(input.args[0], 'EMAIL'))
        if (!email.success) throw new BadUsage('EMAIL is no e-mail address.')
        const deed = { action: 'member.reset-second-factor', subject: { type: 'member', id: email.output } }
        const id = await act(input, deed, (tx, actor) => proposeSecondFactorReset(tx, input.deps, actor, { email: email.output, reason }))
        return [`Filed as change ${id}: another admin, who is not ${email.output}, has to approve it.`]
      },
    },
  ],
]
