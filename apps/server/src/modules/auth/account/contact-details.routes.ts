import * as wire from '@tizara/contract/contact-details'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { confirmEmailChange, readPendingEmail, requestEmailChange, stopEmailChange, type StopPayouts } from './change-email.ts'
import { changeName, changePhone } from './contact-details.ts'
import { reencode } from '../../../platform/images/reencode-image.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { storeProfileImage } from '../../members/index.ts'
import { inSession } from '../sessions/in-session.ts'
import { originOf } from '../sessions/sessions.ts'

/** Side of a profile image in pixels: twice the largest size on a page. */
const IMAGE_SIDE = 128

/** Binds the routes that change a member's name, image, phone and address. */
export function contactRoutes(bind: Bind, stopPayouts: StopPayouts): void {
  bind.withoutTransaction(wire.changeName, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) => {
    await changeName(db, deps, { memberId, sessionId, name: body.name }, originOf(caller))
    return answer(null, 'Your name is changed')
  })
  bind.withoutTransaction(wire.setProfileImage, async ({ db, viewer, file }) => {
    if (file === undefined) throw new AppError('FILE_REQUIRED')
    const { contentType, bytes } = await reencode(viewer.memberId, file, { width: IMAGE_SIDE, height: IMAGE_SIDE, fit: 'cover' })
    const image = `data:${contentType};base64,${bytes.toString('base64')}`
    await inSession(db, viewer, (tx) => storeProfileImage(tx, viewer.memberId, image))
    return answer(null, 'Your image is changed')
  })
  bind.write(wire.removeProfileImage, async ({ tx, viewer }) => {
    await storeProfileImage(tx, viewer.memberId, null)
    return answer(null, 'Your image is removed')
  })
  bind.withoutTransaction(wire.changePhone, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) => {
    const { phone, ...proof } = body
    await changePhone(db, deps, { memberId, sessionId, phone, proof }, originOf(caller))
    return answer(null, 'Your phone number is changed')
  })
  bind.withoutTransaction(wire.changeEmail, async ({ db, deps, viewer: { memberId, sessionId }, body, caller }) => {
    const { email, ...proof } = body
    await requestEmailChange(db, deps, { memberId, sessionId, email, proof }, originOf(caller))
    return answer(null, 'Please open the link that we mailed to the new address')
  })
  bind.read(wire.pendingEmail, async ({ db, deps, viewer }) => answer(await readPendingEmail(db, viewer.memberId, deps.clock.now())))
  bind.withoutTransaction(wire.confirmEmail, async ({ db, deps, caller }) => {
    const takesEffectAt = await confirmEmailChange(db, deps, caller.token, originOf(caller))
    return answer({ takesEffectAt }, takesEffectAt === null ? 'Your email address is changed' : 'The new address is confirmed')
  })
  bind.withoutTransaction(wire.stopEmailChange, async ({ db, deps, caller }) => {
    await stopEmailChange(db, deps, caller.token, originOf(caller), stopPayouts)
    return answer(null, 'The change is stopped')
  })
}
