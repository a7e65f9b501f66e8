import { noticeTexts } from '@tizara/contract/notice-text'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { enqueueMail, mailLanguage, shownInMail } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type Member, setContact } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { startPayoutFreeze } from '../passwords/payout-freeze.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import type { Origin } from '../sessions/sessions.ts'
import { assertOwner, type Proof } from '../factors/step-up.ts'

/** Changes the member's name. The audit log has the event, not the name. */
export async function changeName(db: Db, deps: Deps, { name, ...holder }: Holder & { name: string }, origin: Origin): Promise<void> {
  await inSession(db, holder, async (tx, member) => {
    if (member.name === name) return
    await setContact(tx, member.id, { name }, deps.clock.now())
    await notifyContactChange(tx, deps, member, 'name')
    await auditAuth(tx, deps, { action: 'change-name', member, origin })
  })
}

/**
 * Changes the member's phone number after a proof, and freezes payouts.
 * @param input `phone` in international form
 * @throws AppError PHONE_REFUSED, and the errors of {@link assertOwner}
 */
export async function changePhone(
  db: Db,
  deps: Deps,
  { phone, proof, ...holder }: Holder & { phone: string; proof: Proof },
  origin: Origin,
): Promise<void> {
  const read = parsePhoneNumberFromString(phone)
  if (read === undefined || !read.isValid()) throw new AppError('PHONE_REFUSED')
  await assertOwner(db, deps, { ...holder, proof }, origin)
  await inSession(db, holder, async (tx, member) => {
    if (member.phone === read.number) return
    const now = deps.clock.now()
    await setContact(tx, member.id, { phone: read.number }, now)
    await startPayoutFreeze(tx, member.id, 'contact', now)
    await notifyContactChange(tx, deps, member, 'phone')
    await auditAuth(tx, deps, { action: 'change-phone', member, origin })
  })
}

/** Mails the member's present address, and adds the notification. */
export async function notifyContactChange(
  tx: Tx,
  deps: Deps,
  { id, email, name, language }: Member,
  what: 'name' | 'phone' | 'email' | 'email-stopped',
): Promise<void> {
  const words = mailLanguage(deps.config, language)
  const { t } = words
  const { title, text } = noticeTexts.contact({ what }, shownInMail(words, deps.clock.now()))
  const lines = [text, t('If that was not you, change your password at once and contact us.')]
  await enqueueMail(tx, deps, { to: email, language, template: 'notice', data: { name, title, lines } })
  await recordEvent(tx, deps, id, { event: 'contact', facts: { what } })
}
