import { noticeTexts } from '@tizara/contract/notice-text'
import type { NoticeOf } from '@tizara/contract/notices'
import { enqueueMail, mailLanguage, shownInMail } from '../../../gateways/mailer/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Member } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'

/**
 * Mails the owner about a change of the second factor, and adds the notification.
 * @param alsoTo earlier addresses that get the mail too
 */
export async function notifyFactorChange(
  tx: Tx,
  deps: Deps,
  { id, email, name, language }: Member,
  facts: NoticeOf<'second-factor'>['facts'],
  alsoTo: readonly string[] = [],
): Promise<void> {
  const words = mailLanguage(deps.config, language)
  const { title, text } = noticeTexts['second-factor'](facts, shownInMail(words, deps.clock.now()))
  const { t } = words
  const lines = [text, t('If that was not you, change your password at once and contact us.')]
  for (const to of new Set([email, ...alsoTo]))
    await enqueueMail(tx, deps, { to, language, template: 'notice', data: { name, title, lines } })
  await recordEvent(tx, deps, id, { event: 'second-factor', facts })
}
