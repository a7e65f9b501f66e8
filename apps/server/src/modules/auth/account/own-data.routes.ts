import { startOwnData } from '@tizara/contract/own-data'
import { enqueueMail, mailLanguage } from '../../../gateways/mailer/index.ts'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import type { JobKind } from '../../../jobs/background-job.ts'
import { startJob } from '../../../jobs/start-job.ts'
import { auditAuth } from '../audit-auth.ts'
import { inSession } from '../sessions/in-session.ts'
import { originOf } from '../sessions/sessions.ts'
import { assertOwner } from '../factors/step-up.ts'

/**
 * Binds the call that starts the export of a member's data. It requires a step-up, because a thief with an open session could get all
 * data. The member gets a mail.
 * @param kind the job that writes the file; it reads the tables of all modules
 */
export function ownDataRoutes(bind: Bind, kind: Pick<JobKind<object>, 'name' | 'file' | 'perDay'>): void {
  bind.withoutTransaction(startOwnData, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) => {
    const holder = { memberId, sessionId }
    await assertOwner(db, deps, { ...holder, proof: body }, originOf(caller))
    const jobId = await inSession(db, holder, async (tx, member) => {
      const id = await startJob(tx, deps, kind, { ownerId: member.id, input: {} })
      const { t, time } = mailLanguage(deps.config, member.language)
      const lines = [
        t('A copy of all data of your account was requested on {at}.', { at: time(deps.clock.now()) }),
        t('If that was not you, change your password at once and contact us.'),
      ]
      await enqueueMail(tx, deps, {
        to: member.email,
        language: member.language,
        template: 'notice',
        data: { name: member.name, title: t('a copy of your data was requested'), lines },
      })
      await auditAuth(tx, deps, { action: 'copy-data', member, origin: originOf(caller) })
      return id
    })
    return answer({ jobId }, 'Your data is being collected')
  })
}
