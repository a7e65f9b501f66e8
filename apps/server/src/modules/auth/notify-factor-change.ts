import { noticeTexts } from '@tizara/contract/notice-text'
import type { NoticeOf } from '@tizara/contract/notices'
import { enqueueMail, shownInMail } from '../../gateways/mailer/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Member } from '../members/index.ts'
import { recordEvent } from '../notices/index.ts'

/** Mails the owner about a passkey or recovery codes, and adds the notification. */
export async function notifyFactorChange(
  tx: Tx,
  deps: Deps,
  { id, email, name }: Member,
  facts: NoticeOf<'second-factor'>['facts'],
): Promise<void> {
  const { title, text } = noticeTexts['second-factor'](facts, shownInMail(deps.clock.now()))
  const lines = [text, 'If that was not you, change your password at once and contact us.']
  await enqueueMail(tx, deps, { to: email, template: 'notice', data: { name, title, lines } })
  await recordEvent(tx, deps, id, { event: 'second-factor', facts })
}
